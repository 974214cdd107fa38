/**
 * What is used of `node:http`. Imported by name, all that the module offers is looked up, its WebSocket too, which loads the whole of fetch: 30 ms of
 * processor time for each process and each thread.
 */
export const { Agent, createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
