/**
 * The used parts of `node:http`. A named import would read every export of the module, including WebSocket, which loads
 * all of fetch: 30 ms of CPU time per process and thread.
 */
export const { Agent, createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
