/** Explains why the sandbox cannot start when a setting or the host is the cause. */
import { dirname } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import type { SandboxConfig } from '@ssvirt/base/config/keys';
import { DefinitionsError } from '../simulators/definitions-error.ts';
import { StartError } from './start-error.ts';

interface SystemError extends Error {
  readonly code: string;
  readonly errno: number;
  readonly syscall: string;
  readonly port?: number;
  readonly path?: string;
}

/** `startProblem` returns a sentence for the user; undefined for a defect of the sandbox. */
export function startProblem(error: unknown, config: SandboxConfig): string | undefined {
  if (error instanceof DefinitionsError) return `sandbox.crds: ${error.message}`;
  if (error instanceof StartError) return `sandbox.data: ${error.message}`;
  if (!isSystemError(error)) return undefined;
  const { host, port } = config.listen;
  if (error.syscall === 'listen' || error.syscall === 'getaddrinfo') {
    const advice =
      error.code === 'EADDRINUSE'
        ? 'another process, perhaps another sandbox, uses the port: stop it, or choose another port'
        : `${getSystemErrorMessage(error.errno)}: choose another address`;
    return `sandbox.listen: cannot listen on ${host}:${error.port ?? port}: ${advice}, with --listen HOST:PORT`;
  }
  const { path } = error;
  if (path === undefined) return undefined;
  const why = `${error.syscall} ${path}: ${getSystemErrorMessage(error.errno)}`;
  if (config.data !== undefined && path.startsWith(config.data)) return `sandbox.data: cannot store the state: ${why}`;
  if (path.startsWith(config.kubeconfig) || path === dirname(config.kubeconfig))
    return `sandbox.kubeconfig: cannot write the kubeconfig: ${why}`;
  return undefined;
}

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'syscall' in error && 'errno' in error && typeof error.errno === 'number';
}
