/** Names flags where the API names fields: who types a command does not know the request that it sends. */

/** The flag that sends each field, in any command; the first that the command has counts. */
const flagsOfFields: Readonly<Record<string, readonly string[]>> = {
  blank: ['--blank'],
  canPublish: ['--can-publish'],
  catalogItem: ['--item'],
  catalogItemId: ['--item'],
  'cloudInit.networkData': ['--network-data'],
  'cloudInit.userData': ['--user-data'],
  cluster: ['--cluster'],
  'computeCapacity.cpu.limit': ['--vcpus'],
  'computeCapacity.memory.limit': ['--memory'],
  cpus: ['--cpus'],
  currentPassword: ['--current-password-file'],
  dataSource: ['--data-source'],
  definition: ['--filename'],
  description: ['--description'],
  diskSizeGb: ['--disk-size'],
  disks: ['--disk'],
  displayName: ['--display-name'],
  email: ['--email'],
  enabled: ['--enable'],
  filter: ['--filter', '--name', '--status'],
  fullName: ['--full-name'],
  image: ['--image'],
  includesTemplates: ['--templates'],
  instancetype: ['--instancetype'],
  isEnabled: ['--enable'],
  isPublished: ['--publish'],
  keepApiTokens: ['--keep-api-tokens'],
  memoryMb: ['--memory'],
  name: ['--name'],
  networks: ['--network'],
  parameters: ['--param'],
  password: ['--password-file'],
  powerOn: ['--no-power-on'],
  preference: ['--preference'],
  roleEntityRefs: ['--role'],
  sizeMb: ['--size'],
  sortAsc: ['--sort'],
  sortDesc: ['--sort'],
  sshKeys: ['--ssh-key-file'],
  storageClass: ['--storage-class'],
  storageLimitMb: ['--storage'],
  url: ['--image-url'],
  vmQuota: ['--vms'],
};

/** No words of a sentence, so that they are fields wherever they appear. */
const technical = Object.keys(flagsOfFields).filter((field) => /[A-Z]|^cpus$|^instancetype$/.test(field));
/** What the sentence is about: one field, or a list of them. */
const subject = /^[a-z]\w*(?:\.\w+)*(?:, \w+)*(?=:| is | must | are )/;

const listOptions = /^(?:filter|sortAsc|sortDesc)\b/;

/** `flags` are those of the command, with their dashes. */
export function inFlags(said: string, flags: ReadonlySet<string>): string {
  const message = flags.has('--force') ? said.replaceAll('force=true', '--force') : said;
  const lead = subject.exec(message)?.[0] ?? '';
  const listed = lead.includes(', ') ? lead.split(', ') : [];
  // What lists are filtered and sorted by has the names of the API in the command as well.
  const others = listOptions.test(lead) ? [] : [...technical, ...listed];
  const rest = message
    .slice(lead.length)
    .split(/("[^"]*")/)
    // Every second part is a quotation.
    .map((part, at) => (at % 2 === 1 ? part : named(part, others, flags)));
  const subjects = named(lead, Object.keys(flagsOfFields), flags, 'the name').split(', ');
  return [[...new Set(subjects)].join(', '), ...rest].join('');
}

/** `ofName` is for the field `name` of a command that takes the name without a flag. */
function named(text: string, fields: readonly string[], flags: ReadonlySet<string>, ofName?: string): string {
  const known = fields.map((field) => field.replaceAll('.', String.raw`\.`)).sort((a, b) => b.length - a.length);
  const pattern = new RegExp(String.raw`(?<![\w.-])(${known.join('|')})((?:\.\w+)*)(?![\w-])`, 'g');
  return text.replaceAll(pattern, (all, field: string, path = '') => {
    const flag = flagsOfFields[field]?.find((one) => flags.has(one)) ?? (field === 'name' ? ofName : undefined);
    if (flag === undefined) return all;
    const inside = String(path)
      .replaceAll(/\.(\d+|id)(?!\w)/g, '')
      .slice(1);
    return inside === '' ? flag : `${flag} (${inside})`;
  });
}
