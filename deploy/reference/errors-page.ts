/** docs/api-errors.md: every refusal of the API, with what it means and what to do. */
import { errorCodes } from '../../src/api/errors.ts';
import { row } from './schema.ts';

const head = `# Errors of the API

Written by \`make docs\` out of [src/api/errors.ts](../src/api/errors.ts). Every refusal has one shape, whatever the route:

\`\`\`json
{
  "minorErrorCode": "CONFLICT",
  "message": "acme cannot be deleted while it has 1 user; delete them first.",
  "stackTrace": null
}
\`\`\`

A caller who accepts XML only gets the same as \`<Error majorErrorCode="409" minorErrorCode="CONFLICT" message="…"/>\`. The message is for people and may change; programs go by \`minorErrorCode\`.
The header \`X-VMWARE-VCLOUD-REQUEST-ID\` of the answer is in the log of the server, too: name it when you ask for help.
`;

export function errorsPage(): string {
  const rows = Object.entries(errorCodes).map(([code, { status, means, remedy }]) =>
    row(`\`${code}\``, String(status), means, remedy),
  );
  const table = `${row('code', 'status', 'what it means', 'what to do')}${row('---', '---', '---', '---')}${rows.join('')}`;
  return `${head}\n${table}\nStatuses that clients of VMware Cloud Director cannot read (422, 501, 502) are never sent.\n`;
}
