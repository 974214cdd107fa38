/** `ssvirt api-server` and its flags. */
import type { Command } from 'commander';
import { createLogger } from '@ssvirt/base/config/log';
import { addExamples } from '@ssvirt/base/config/examples';
import { addConfigOptions, configOf } from '@ssvirt/base/config/options';

export function registerApiServerCommand(program: Command): void {
  const command = program
    .command('api-server')
    .description('serve the REST API in the style of VMware Cloud Director, and apply requests to the clusters');
  addConfigOptions(command, 'api-server');
  addExamples(command, [
    'ssvirt api-server --config /etc/ssvirt/config.yaml',
    'SSVIRT_DATABASE_URL=postgres://ssvirt@db.example.org:5432/ssvirt ssvirt api-server --kubeconfig ~/.kube/config',
  ]);
  command.action(async () => {
    const { config } = configOf(command, 'api-server');
    const { errorFields } = await import('../error-fields.ts');
    const { runUntilSignal } = await import('@ssvirt/kube/manager/run-until-signal');
    const { runApiServer } = await import('./process.ts');
    const log = createLogger(config.log, { serializers: { err: errorFields } });
    await runUntilSignal((signal) => runApiServer(config, log, signal), { log });
  });
  const openapi = command
    .command('openapi')
    .description('print the OpenAPI document of the API')
    .action(async () => {
      const { openApiText } = await import('./openapi.ts');
      process.stdout.write(await openApiText());
    });
  addExamples(openapi, ['ssvirt api-server openapi', 'ssvirt api-server openapi > openapi.json']);
}
