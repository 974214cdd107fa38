/** The rights of the api-server, one by one, on clusters of the sandbox; run by .ci/run. */
import { rightsCases } from './rights-cases.ts';
import { apiServer } from './stories/api-server.ts';

rightsCases('api-server', [apiServer]);
