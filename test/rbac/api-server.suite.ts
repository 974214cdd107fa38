/** The rights of the api-server, one by one, on kube-apiservers that enforce them; run by .ci/run. */
// needs: etcd, kube-apiserver, kube-controller-manager
import { rightsCases } from './rights-cases.ts';
import { apiServer } from './stories/api-server.ts';

rightsCases('api-server', [apiServer]);
