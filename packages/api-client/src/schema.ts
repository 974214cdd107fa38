/** Written by `make docs` from docs/openapi.json, whose SHA-256 is 76d154996764b3d8c67f120c4cd118ad70c26bfb7b0648bc643476acccf88c01. */

export interface paths {
  readonly '/api/admin/org/{orgId}/vdcs': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the virtual data centers of an organization
     * @description Roles: System Administrator.
     */
    readonly get: operations['listVdcsOfOrganization'];
    readonly put?: never;
    /**
     * Create a virtual data center
     * @description The virtual data center is recorded at once. The task in the response and in Location creates it in its cluster (a namespace with quota, limits and isolation); while the cluster is unavailable, the task says what it waits for. With Prefer: wait=N the response is 201 if that is done within N seconds. Roles: System Administrator.
     */
    readonly post: operations['createVdc'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/admin/org/{orgId}/vdcs/{vdcId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get a virtual data center of an organization, with its cluster and namespace
     * @description Roles: System Administrator.
     */
    readonly get: operations['getVdcOfOrganization'];
    /**
     * Change a virtual data center
     * @description Absent fields stay; 0, false and "" are values. A limit below current usage is rejected. If nothing differs, the response is 200 without a task. Roles: System Administrator.
     */
    readonly put: operations['updateVdc'];
    readonly post?: never;
    /**
     * Delete a virtual data center
     * @description Deletes its namespace with everything in it. Rejected while it contains virtual machines, unless forced. A repeated request during the deletion returns the same task. With Prefer: wait=N the response is 204 if it is gone within N seconds. Roles: System Administrator.
     */
    readonly delete: operations['deleteVdc'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/health': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Whether the process is alive */
    readonly get: operations['getHealth'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/user/profile': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get the current user
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['getProfile'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/version': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get the version of the server */
    readonly get: operations['getVersion'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/versions': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List the versions of the API, in XML or in JSON */
    readonly get: operations['listApiVersions'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/auditTrail': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List audit events, newest first
     * @description Roles: System Administrator, Organization Administrator.
     */
    readonly get: operations['listAuditEvents'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/auditTrail/{eventId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get an audit event
     * @description Roles: System Administrator, Organization Administrator.
     */
    readonly get: operations['getAuditEvent'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/catalogs': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the catalogs of your organization and the published catalogs of others
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['listCatalogs'];
    readonly put?: never;
    /**
     * Create a catalog
     * @description Roles: System Administrator, Organization Administrator, vApp Author.
     */
    readonly post: operations['createCatalog'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/catalogs/{catalogId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get a catalog
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['getCatalog'];
    /**
     * Change a catalog
     * @description Roles: System Administrator, Organization Administrator, vApp Author.
     */
    readonly put: operations['updateCatalog'];
    readonly post?: never;
    /**
     * Delete a catalog that has no items of its own
     * @description Roles: System Administrator, Organization Administrator, vApp Author.
     */
    readonly delete: operations['deleteCatalog'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/catalogs/{catalogId}/catalogItems': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the items of a catalog
     * @description The items of the catalog itself and, if it includes them, the templates and boot images of the clusters, in one order. unavailable names what cannot be read at the moment. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['listCatalogItems'];
    readonly put?: never;
    /**
     * Create an item in a catalog
     * @description Roles: System Administrator, Organization Administrator, vApp Author.
     */
    readonly post: operations['createCatalogItem'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/catalogs/{catalogId}/catalogItems/{itemId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get a catalog item
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['getCatalogItem'];
    /**
     * Change an item of the catalog itself
     * @description Roles: System Administrator, Organization Administrator, vApp Author.
     */
    readonly put: operations['updateCatalogItem'];
    readonly post?: never;
    /**
     * Delete an item of the catalog itself
     * @description Roles: System Administrator, Organization Administrator, vApp Author.
     */
    readonly delete: operations['deleteCatalogItem'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/clusters': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the clusters of the fleet
     * @description Roles: System Administrator.
     */
    readonly get: operations['listClusters'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/clusters/{clusterName}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get a cluster of the fleet
     * @description Roles: System Administrator.
     */
    readonly get: operations['getCluster'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/events': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Stream changes
     * @description A stream of server-sent events. The first event is "ready". Each change that you may see follows as an event named by its kind (vm, vapp, task …), with the URN of the object; a VM event also has the status and whether it was stale then, a task event the status and progress. A vdc event with stale says that the status of everything in the virtual data center has become stale, or current again. With Last-Event-ID the stream resumes after that event, on any replica. "reset" means that events were missed: reload all data. The stream ends with your session. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['streamEvents'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/machines': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the Machines of the supervisor
     * @description Sorted by namespace and name, and read from the memory of the server, which watches them. 503 if the supervisor does not serve the kind, the server may not list it, or has not read it yet; the message says which. Roles: System Administrator.
     */
    readonly get: operations['listMachines'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/orders': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the orders of the supervisor
     * @description Sorted by namespace and name, and read from the memory of the server, which watches them. 503 if the supervisor does not serve the kind, the server may not list it, or has not read it yet; the message says which. Roles: System Administrator.
     */
    readonly get: operations['listOrders'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/orders/validate': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Check the template and the parameters of an order before it is placed
     * @description Reports all problems at once. An invalid order is answered with 200, too. Nothing is stored. A request has at most 256 KiB, and parameters that are an object are nested at most 32 levels deep. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly post: operations['validateOrder'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/orgs': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the organizations; tenants see only their own
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['listOrganizations'];
    readonly put?: never;
    /**
     * Create an organization
     * @description Roles: System Administrator.
     */
    readonly post: operations['createOrganization'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/orgs/{orgId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get an organization
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['getOrganization'];
    /**
     * Change an organization; absent fields stay
     * @description Roles: System Administrator.
     */
    readonly put: operations['updateOrganization'];
    readonly post?: never;
    /**
     * Delete an organization that has no virtual data centers, users or catalogs
     * @description Roles: System Administrator.
     */
    readonly delete: operations['deleteOrganization'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/roles': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the roles
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['listRoles'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/roles/{roleId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get a role
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['getRole'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/sessions': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Log in to an organization
     * @description The user name is user@organization. The response header X-VMWARE-VCLOUD-ACCESS-TOKEN has the token of the session.
     */
    readonly post: operations['logIn'];
    /**
     * Log out
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly delete: operations['logOut'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/sessions/current': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get the current session
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['getCurrentSession'];
    readonly put?: never;
    readonly post?: never;
    /**
     * Log out
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly delete: operations['deleteCurrentSession'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/sessions/provider': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Log in as the provider
     * @description The user name is user@organization. The response header X-VMWARE-VCLOUD-ACCESS-TOKEN has the token of the session.
     */
    readonly post: operations['logInAsProvider'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/sessions/{sessionId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get one of your sessions
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['getSession'];
    readonly put?: never;
    readonly post?: never;
    /**
     * End one of your sessions
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly delete: operations['deleteSession'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/summary': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Count the virtual machines and vApps by status
     * @description Counts what the lists of virtual machines and vApps show without a filter: not the vApps of standalone VMs, and no VMs that are DELETED. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['getSummary'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/syncFailures': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the VMs whose state could not be written
     * @description Roles: System Administrator.
     */
    readonly get: operations['listSyncFailures'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/syncFailures/{failureId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get a sync failure
     * @description Roles: System Administrator.
     */
    readonly get: operations['getSyncFailure'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/syncFailures/{failureId}/actions/retry': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Try now to write the state of the VM
     * @description Use it when the cause is fixed: the vm-controller then does not wait for the end of its pause, which is up to five minutes. Read the sync failure again: resolvedAt is set when the state was written; otherwise attempts and lastFailedAt grow. 409 if it is resolved already. Roles: System Administrator.
     */
    readonly post: operations['retrySyncFailure'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/tasks': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List tasks, newest first
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['listTasks'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/tasks/{taskId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get a task
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['getTask'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/tasks/{taskId}/cancel': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Cancel a task
     * @description You can cancel the creation of a virtual data center that is not ready yet, of a VM or of a vApp: what was created is deleted again. You can also cancel a power change: the task ends, and the desired power state stays as it is. Other tasks end by themselves: 409. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    readonly post: operations['cancelTask'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/tokens': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List your API tokens; administrators list those of their organization
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['listTokens'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/tokens/{tokenId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get an API token, without its secret
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['getToken'];
    readonly put?: never;
    readonly post?: never;
    /**
     * Revoke an API token, and end its sessions
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly delete: operations['revokeToken'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/users': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the users
     * @description Roles: System Administrator, Organization Administrator.
     */
    readonly get: operations['listUsers'];
    readonly put?: never;
    /**
     * Create a user
     * @description Roles: System Administrator, Organization Administrator.
     */
    readonly post: operations['createUser'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/users/{userId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get a user
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['getUser'];
    /**
     * Change a user; absent fields stay
     * @description Administrators change the users of their organization. Other users can change their own fullName, email, description and password. A new password ends the other sessions of the user and, like enabled=false, revokes the API tokens. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly put: operations['updateUser'];
    readonly post?: never;
    /**
     * Delete a user
     * @description Roles: System Administrator, Organization Administrator.
     */
    readonly delete: operations['deleteUser'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vapps': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the vApps
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['listVapps'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vapps/{vappId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get a vApp with its VMs
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['getVapp'];
    /**
     * Rename a vApp, or change its description
     * @description The task in the response applies a new name to the VMs in the cluster; if there is nothing to apply, the response is 200 without a task. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    readonly put: operations['updateVapp'];
    readonly post?: never;
    /**
     * Delete a vApp with its VMs and their disks
     * @description Rejected while VMs in it run or their status is not current, unless forced. A repeated request during the deletion returns the same task. The name is free again when the task has ended. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    readonly delete: operations['deleteVapp'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vapps/{vappId}/actions/powerOff': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Power off, without shutting the guest down (all VMs of a vApp)
     * @description Requested of each VM that permits it now; rejected if none does. The details of the task name the VMs that were skipped. The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    readonly post: operations['powerOffVapp'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vapps/{vappId}/actions/powerOn': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Power on (all VMs of a vApp)
     * @description Requested of each VM that permits it now; rejected if none does. The details of the task name the VMs that were skipped. The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    readonly post: operations['powerOnVapp'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vapps/{vappId}/actions/reboot': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Reboot the guest (all VMs of a vApp)
     * @description Requested of each VM that permits it now; rejected if none does. The details of the task name the VMs that were skipped. The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    readonly post: operations['rebootVapp'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vapps/{vappId}/actions/reset': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Reset the VM: the guest restarts at once (all VMs of a vApp)
     * @description Requested of each VM that permits it now; rejected if none does. The details of the task name the VMs that were skipped. The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    readonly post: operations['resetVapp'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vapps/{vappId}/actions/resume': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Resume a suspended VM (all VMs of a vApp)
     * @description Requested of each VM that permits it now; rejected if none does. The details of the task name the VMs that were skipped. The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    readonly post: operations['resumeVapp'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vapps/{vappId}/actions/shutdown': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Shut down the guest, then power off (all VMs of a vApp)
     * @description Requested of each VM that permits it now; rejected if none does. The details of the task name the VMs that were skipped. The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    readonly post: operations['shutdownVapp'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vapps/{vappId}/actions/suspend': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Suspend: pause the guest, keeping its memory on its node (all VMs of a vApp)
     * @description Requested of each VM that permits it now; rejected if none does. The details of the task name the VMs that were skipped. The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    readonly post: operations['suspendVapp'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vapps/{vappId}/vms': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the VMs of a vApp
     * @description Filters by id, name, description, status, ipAddresses, ipAddress, guestOs, cpus, memoryMb, owner.id, owner.name, vapp.id, vappId, vdc.id, vdcId, vdc.name, org.id, createdAt, updatedAt. Sorts by name, status, ipAddresses, ipAddress, guestOs, cpus, memoryMb, owner.name, vdc.name, createdAt; VMs without a value come first in ascending order. By default, lists leave out VMs that are deleted; with status==DELETED, they have those that were deleted in their cluster. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['listVmsOfVapp'];
    readonly put?: never;
    /**
     * Add a VM to a vApp
     * @description The task in the response and in Location creates it in the cluster. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    readonly post: operations['addVmToVapp'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vdcs': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the virtual data centers of your organization
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['listVdcs'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vdcs/{vdcId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get a virtual data center
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['getVdc'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vdcs/{vdcId}/actions/instantiateTemplate': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Instantiate a catalog item: create a vApp with its VMs
     * @description Everything is checked before anything is created: whether the item is offered here, the values of its parameters, the names of its VMs and the limits of the virtual data center. The vApp then exists, and the task in the response and in Location creates its VMs. If the cluster rejects them, everything is rolled back and the task says why. Sizes that cannot be known in advance are named in the details of the task; they count against the limits as soon as they are known. With Prefer: wait=N the response is 201 if that is done within N seconds. generatedParameters of this response, be it 201 or 202, has the values that were generated for parameters; no later response shows them. If the response is lost, delete the vApp and instantiate again. 503 if the cluster is unavailable. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    readonly post: operations['instantiateTemplate'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vdcs/{vdcId}/actions/validateVm': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Check whether a standalone virtual machine could be created, without creating it
     * @description Refuses the request with the status and the message with which the creation would refuse it now. Otherwise the response has the quotas of the virtual data center before and after the creation. What only the cluster knows, such as whether an image exists, shows when the VM is created. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    readonly post: operations['validateVm'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vdcs/{vdcId}/instanceTypes': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the instance types for VMs of a virtual data center
     * @description Sorted by name. An instance type sets CPUs and memory, instead of cpus and memoryMb. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['listInstanceTypes'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vdcs/{vdcId}/preferences': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the preferences for VMs of a virtual data center
     * @description Sorted by name. A preference fits the virtual hardware to an operating system. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['listPreferences'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vdcs/{vdcId}/usage': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get the usage of a virtual data center and its remaining capacity
     * @description Virtual machines count until they are deleted, whether or not they run: with the requested size or, if none was requested, with the size in the cluster. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['getVdcUsage'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vdcs/{vdcId}/vapps': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the vApps of a virtual data center
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['listVappsOfVdc'];
    readonly put?: never;
    /**
     * Create an empty vApp
     * @description An empty vApp needs nothing in a cluster, so it exists at once, without a task. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    readonly post: operations['createVapp'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vdcs/{vdcId}/vms': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the virtual machines of a virtual data center
     * @description Filters by id, name, description, status, ipAddresses, ipAddress, guestOs, cpus, memoryMb, owner.id, owner.name, vapp.id, vappId, vdc.id, vdcId, vdc.name, org.id, createdAt, updatedAt. Sorts by name, status, ipAddresses, ipAddress, guestOs, cpus, memoryMb, owner.name, vdc.name, createdAt; VMs without a value come first in ascending order. By default, lists leave out VMs that are deleted; with status==DELETED, they have those that were deleted in their cluster. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['listVmsOfVdc'];
    readonly put?: never;
    /**
     * Create a standalone virtual machine
     * @description The VM is recorded at once. The task in the response and in Location creates it in its cluster and ends when the cluster has accepted it; the status of the VM then follows as it boots. If the cluster rejects the VM, everything is rolled back, and the task ends with the reason. With Prefer: wait=N the response is 201 if the VM is created within N seconds. 503 if the cluster is unavailable. Snapshots are not supported yet. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    readonly post: operations['createVm'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vms': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the virtual machines of your organization
     * @description Filters by id, name, description, status, ipAddresses, ipAddress, guestOs, cpus, memoryMb, owner.id, owner.name, vapp.id, vappId, vdc.id, vdcId, vdc.name, org.id, createdAt, updatedAt. Sorts by name, status, ipAddresses, ipAddress, guestOs, cpus, memoryMb, owner.name, vdc.name, createdAt; VMs without a value come first in ascending order. By default, lists leave out VMs that are deleted; with status==DELETED, they have those that were deleted in their cluster. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['listVms'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vms/{vmId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get a virtual machine
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['getVm'];
    /**
     * Change name, description, CPUs, memory or instance type of a virtual machine
     * @description Absent fields stay; if nothing differs, the response is 200 without a task. CPUs and memory of a running VM change at once if the cluster supports it; otherwise restartRequired is true. While the cluster is unavailable, the change is recorded, and its task says what it waits for. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    readonly put: operations['updateVm'];
    readonly post?: never;
    /**
     * Delete a virtual machine with its disks
     * @description Rejected while it runs or its status is not current, unless forced. A repeated request during the deletion returns the same task. With Prefer: wait=N the response is 204 if the VM is gone within N seconds. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    readonly delete: operations['deleteVm'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vms/{vmId}/actions/powerOff': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Power off, without shutting the guest down (virtual machine)
     * @description The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    readonly post: operations['powerOffVm'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vms/{vmId}/actions/powerOn': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Power on (virtual machine)
     * @description The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    readonly post: operations['powerOnVm'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vms/{vmId}/actions/reboot': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Reboot the guest (virtual machine)
     * @description The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    readonly post: operations['rebootVm'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vms/{vmId}/actions/reset': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Reset the VM: the guest restarts at once (virtual machine)
     * @description The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    readonly post: operations['resetVm'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vms/{vmId}/actions/resume': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Resume a suspended VM (virtual machine)
     * @description The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    readonly post: operations['resumeVm'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vms/{vmId}/actions/shutdown': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Shut down the guest, then power off (virtual machine)
     * @description The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    readonly post: operations['shutdownVm'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vms/{vmId}/actions/suspend': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Suspend: pause the guest, keeping its memory on its node (virtual machine)
     * @description The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    readonly post: operations['suspendVm'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vms/{vmId}/consoleTicket': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Get a ticket for the console of a virtual machine
     * @description The ticket opens the console once, as a web page or as a WebSocket, within the time that it states. Anyone who holds the ticket can use it. The console ends with the session. Only a VM that is POWERED_ON or SUSPENDED has a console. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    readonly post: operations['createConsoleTicket'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vms/{vmId}/disks': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the disks of a virtual machine, on one page
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['listDisks'];
    readonly put?: never;
    /**
     * Add an empty disk to a virtual machine, running or not
     * @description Roles: System Administrator, Organization Administrator, vApp Author.
     */
    readonly post: operations['addDisk'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vms/{vmId}/disks/{disk}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    /**
     * Remove a disk from a virtual machine, with its data
     * @description The boot disk cannot be removed. A disk that was created with the VM can be removed only while the VM is off; a disk that was added later can be removed at any time. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    readonly delete: operations['removeDisk'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/cloudapi/1.0.0/vms/{vmId}/explanation': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Explain a virtual machine: what is wrong, why, and what to do
     * @description Draws conclusions from the VM, its vApp, its virtual data center and its last tasks, which the answer contains. System administrators also get the place of the VM and its open sync failures. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly get: operations['explainVm'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/health/controller': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Whether a vm-controller is running anywhere */
    readonly get: operations['getControllerHealth'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/healthz': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Whether the process is alive */
    readonly get: operations['getLiveness'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/oauth/provider/register': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Register an API token by name, to fetch it with a second request
     * @description Needs a session that a password opened less than five minutes ago. Roles: System Administrator.
     */
    readonly post: operations['registerProviderToken'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/oauth/provider/token': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Fetch a registered API token, or exchange one for a session */
    readonly post: operations['exchangeProviderToken'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/oauth/tenant/{org}/register': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Register an API token by name, to fetch it with a second request
     * @description Needs a session that a password opened less than five minutes ago. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    readonly post: operations['registerToken'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/oauth/tenant/{org}/token': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Fetch a registered API token, or exchange one for a session */
    readonly post: operations['exchangeToken'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/readyz': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Whether the server can serve requests: 503 only without the database; unreachable clusters are counted */
    readonly get: operations['getReadiness'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description A virtual data center as the provider sees it */
    readonly AdminVdc: {
      /** @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11 */
      readonly id: string;
      /**
       * @description Unique in the organization, ignoring case. No control characters, and no leading or trailing space. A new name does not rename the namespace.
       * @example production
       */
      readonly name: string;
      /** @description Free text */
      readonly description: string;
      /**
       * @description The allocation model in the terms of VMware Cloud Director. It is stored and shown, but all models enforce the same: the limits.
       * @enum {unknown}
       */
      readonly allocationModel: 'PayAsYouGo' | 'AllocationPool' | 'ReservationPool' | 'Flex';
      /** @description The MHz that one vCPU counts for; default: 1000. Converts limits in MHz to limits in vCPUs */
      readonly vCpuInMhz: number;
      /** @description For all disks together, in MB; 0 means no limit */
      readonly storageLimitMb: number;
      /** @description The number of virtual machines, running or not; 0 means no limit */
      readonly vmQuota: number;
      /** @description The number of network cards of all virtual machines, running or not; default: 100; 0 means no limit */
      readonly nicQuota: number;
      /** @description The number of networks; default: 50; 0 means no limit. Not enforced, because there are no networks yet */
      readonly networkQuota: number;
      /** @description Disks allocate their space as they fill; default: false */
      readonly isThinProvision: boolean;
      /** @description If false, nothing can be created, instantiated or powered on; running VMs keep running. Default: true */
      readonly isEnabled: boolean;
      readonly computeCapacity: {
        readonly cpu: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          readonly allocated: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          readonly limit: number;
          /**
           * @description Always MHz
           * @enum {string}
           */
          readonly units: 'MHz';
          /** @description The limit in whole vCPUs: limit divided by vCpuInMhz, rounded down; 0 means no limit. Read-only */
          readonly cores: number;
        };
        readonly memory: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          readonly allocated: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          readonly limit: number;
          /**
           * @description Always MB of 1024 × 1024 bytes
           * @enum {string}
           */
          readonly units: 'MB';
        };
      };
      /** @description Always empty: storage is limited by storageLimitMb */
      readonly vdcStorageProfiles: Record<string, never>;
      readonly org: components['schemas']['Reference'];
      /** @description 1 ready, 0 not ready, -1 creation failed */
      readonly status: number;
      /** @description READY, NOT_READY, FAILED_CREATION; or DELETING, for which VMware Cloud Director has no number (0) */
      readonly statusText: string;
      /** @description The status is the last known one and may be out of date; staleReason says why */
      readonly stale: boolean;
      /** @description Why the status is stale; null if it is not */
      readonly staleReason: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        readonly reason: string;
        /** @description What is unknown, and since when */
        readonly message: string;
      } | null;
      /** @description What it waits for, or why it does not match the request; otherwise empty */
      readonly message: string;
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
      /**
       * @description The member of the fleet that it is on (the provider VDC of VMware Cloud Director); default: the default cluster. Cannot be changed later
       * @example local
       */
      readonly cluster: string;
      /** @description Its namespace in the cluster, derived from the names and the id at creation. Cannot be changed */
      readonly namespace: string;
    };
    readonly AdminVdcPage: {
      /** @description Of all pages */
      readonly resultTotal: number;
      readonly pageCount: number;
      /** @description From 1 on */
      readonly page: number;
      readonly pageSize: number;
      /** @description Always empty */
      readonly associations: readonly Record<string, never>[];
      readonly values: readonly components['schemas']['AdminVdc'][];
    };
    readonly AuditEvent: {
      readonly id: string;
      /** @description The URN without its prefix */
      readonly eventId: string;
      /** Format: date-time */
      readonly timestamp: string;
      /** @description The operation, as in the access matrix */
      readonly action: string;
      /** @description success, refused or failed */
      readonly outcome: string;
      readonly user: components['schemas']['Reference'] | null;
      readonly org: components['schemas']['Reference'] | null;
      readonly entity: components['schemas']['Reference'] | null;
      readonly requestId: string;
      readonly clientAddress: string;
      readonly details: {
        readonly [key: string]: unknown;
      };
    };
    readonly AuditEventPage: {
      /** @description Of all pages */
      readonly resultTotal: number;
      readonly pageCount: number;
      /** @description From 1 on */
      readonly page: number;
      readonly pageSize: number;
      /** @description Always empty */
      readonly associations: readonly Record<string, never>[];
      readonly values: readonly components['schemas']['AuditEvent'][];
    };
    readonly Catalog: {
      readonly id: string;
      readonly name: string;
      readonly description: string;
      readonly org: components['schemas']['Reference'];
      readonly owner: components['schemas']['Reference'];
      readonly isPublished: boolean;
      readonly isSubscribed: boolean;
      readonly isLocal: boolean;
      /** @description The items include templates and boot images of the clusters. Default: true */
      readonly includesTemplates: boolean;
      /** Format: date-time */
      readonly creationDate: string;
      /** @description The items of the catalog itself and, if it includes them, those that the clusters offer */
      readonly numberOfVAppTemplates: number;
      readonly numberOfMedia: number;
      readonly catalogStorageProfiles: readonly Record<string, never>[];
      readonly publishConfig: {
        readonly isPublished: boolean;
      };
      readonly subscriptionConfig: {
        readonly isSubscribed: boolean;
      };
      readonly distributedCatalogConfig: Record<string, never>;
      /** @description Increases with every change of the catalog or of its own items */
      readonly version: number;
    };
    /**
     * @description The fields to change; absent fields stay
     * @example {
     *       "description": "Images of the web team",
     *       "isPublished": true
     *     }
     */
    readonly CatalogChange: {
      /** @description No control characters, and no leading or trailing space */
      readonly name?: string;
      /** @description Free text */
      readonly description?: string;
      /** @description All organizations can see it. Requires an organization that may publish (canPublish), or a system administrator */
      readonly isPublished?: boolean;
      /** @description The items include templates and boot images of the clusters. Default: true */
      readonly includesTemplates?: boolean;
    };
    readonly CatalogItem: {
      readonly id: string;
      readonly name: string;
      readonly displayName: string;
      readonly description: string;
      readonly catalogId: string;
      readonly catalog: components['schemas']['Reference'];
      readonly owner: components['schemas']['Reference'];
      readonly isPublished: boolean;
      readonly isExpired: boolean;
      /** @description Its publisher has deprecated it */
      readonly isDeprecated: boolean;
      /** Format: date-time */
      readonly creationDate?: string;
      /** @description The size of its disks in bytes; absent if unknown */
      readonly size?: number;
      /** @enum {unknown} */
      readonly status: 'AVAILABLE' | 'UNAVAILABLE';
      /** @description Why it cannot be used now; empty if it can */
      readonly statusMessage: string;
      /** @description The cluster object that it represents; database for an item of the catalog itself */
      readonly source: {
        /** @enum {unknown} */
        readonly kind: 'Template' | 'VirtualMachineTemplate' | 'DataSource' | 'database';
        readonly namespace?: string;
        readonly name?: string;
      };
      /** @description The clusters that offer it; empty for an item of the catalog itself */
      readonly offers: readonly {
        readonly cluster: string;
        readonly available: boolean;
        readonly message: string;
      }[];
      readonly entity: {
        readonly name: string;
        readonly description: string;
        readonly type: string;
        readonly numberOfVMs: number;
        readonly numberOfCpus?: number;
        /** @description Memory in bytes; absent if unknown */
        readonly memoryAllocation?: number;
        /** @description Disks in bytes; absent if unknown */
        readonly storageAllocation?: number;
      };
      readonly guestOs?: string;
      readonly instancetype?: string;
      readonly preference?: string;
      readonly parameters: readonly {
        readonly name: string;
        readonly displayName: string;
        readonly description: string;
        /** @description Absent if there is no default, or if it is a secret */
        readonly default?: string;
        /** @description The parameter has a default, whether or not it is shown */
        readonly hasDefault: boolean;
        readonly required: boolean;
        /** @description The expression that a missing value is generated from */
        readonly generatedFrom?: string;
      }[];
      /** @description What a VM is created from: exactly one of image, dataSource and url; and either an instance type, or cpus and memoryMb */
      readonly definition?: {
        /**
         * @description A container disk, without a scheme
         * @example containerdisks/fedora:42
         */
        readonly image?: string;
        /** @description A boot image that a cluster offers */
        readonly dataSource?: {
          readonly namespace: string;
          readonly name: string;
        };
        /** @description An image that is downloaded over HTTP; requires diskSizeGb; must not contain credentials */
        readonly url?: string;
        /** @description An instance type of the cluster, instead of cpus and memoryMb */
        readonly instancetype?: string;
        /** @description A preference of the cluster */
        readonly preference?: string;
        readonly cpus?: number;
        /** @description In MiB (1024 × 1024 bytes) */
        readonly memoryMb?: number;
        /** @description In GiB (1024 × 1024 × 1024 bytes) */
        readonly diskSizeGb?: number;
        readonly guestOs?: string;
        /** @description The default for the guest when the request gives none. Refer to parameter values as ${NAME}. Pass secrets only as parameters: everyone who sees the catalog can read the rest */
        readonly cloudInit?: {
          readonly userData?: string;
          readonly networkData?: string;
        };
        readonly parameters?: readonly {
          /** @description Letters, digits and _ */
          readonly name: string;
          readonly displayName?: string;
          readonly description?: string;
          /** @description The value to use when none is given; must not be a secret */
          readonly default?: string;
          readonly required?: boolean;
          /**
           * @description The expression that a missing value is generated from, in the syntax of OpenShift templates
           * @example web-[a-z0-9]{5}
           */
          readonly generatedFrom?: string;
        }[];
      };
    };
    /**
     * @description The fields to change; absent fields stay. A definition is replaced as a unit
     * @example {
     *       "description": "Fedora 42 with the web team’s settings"
     *     }
     */
    readonly CatalogItemChange: {
      /** @description No control characters, and no leading or trailing space */
      readonly name?: string;
      /** @description Free text */
      readonly description?: string;
      /** @description What a VM is created from: exactly one of image, dataSource and url; and either an instance type, or cpus and memoryMb */
      readonly definition?: {
        /**
         * @description A container disk, without a scheme
         * @example containerdisks/fedora:42
         */
        readonly image?: string;
        /** @description A boot image that a cluster offers */
        readonly dataSource?: {
          readonly namespace: string;
          readonly name: string;
        };
        /** @description An image that is downloaded over HTTP; requires diskSizeGb; must not contain credentials */
        readonly url?: string;
        /** @description An instance type of the cluster, instead of cpus and memoryMb */
        readonly instancetype?: string;
        /** @description A preference of the cluster */
        readonly preference?: string;
        readonly cpus?: number;
        /** @description In MiB (1024 × 1024 bytes) */
        readonly memoryMb?: number;
        /** @description In GiB (1024 × 1024 × 1024 bytes) */
        readonly diskSizeGb?: number;
        readonly guestOs?: string;
        /** @description The default for the guest when the request gives none. Refer to parameter values as ${NAME}. Pass secrets only as parameters: everyone who sees the catalog can read the rest */
        readonly cloudInit?: {
          readonly userData?: string;
          readonly networkData?: string;
        };
        readonly parameters?: readonly {
          /** @description Letters, digits and _ */
          readonly name: string;
          readonly displayName?: string;
          readonly description?: string;
          /** @description The value to use when none is given; must not be a secret */
          readonly default?: string;
          readonly required?: boolean;
          /**
           * @description The expression that a missing value is generated from, in the syntax of OpenShift templates
           * @example web-[a-z0-9]{5}
           */
          readonly generatedFrom?: string;
        }[];
      };
    };
    readonly CatalogItemPage: {
      /** @description Of all pages */
      readonly resultTotal: number;
      readonly pageCount: number;
      /** @description From 1 on */
      readonly page: number;
      readonly pageSize: number;
      /** @description Always empty */
      readonly associations: readonly Record<string, never>[];
      readonly values: readonly components['schemas']['CatalogItem'][];
      /** @description Clusters whose templates and images are unknown or may be out of date */
      readonly unavailable: readonly {
        readonly cluster: string;
        readonly message: string;
      }[];
    };
    readonly CatalogPage: {
      /** @description Of all pages */
      readonly resultTotal: number;
      readonly pageCount: number;
      /** @description From 1 on */
      readonly page: number;
      readonly pageSize: number;
      /** @description Always empty */
      readonly associations: readonly Record<string, never>[];
      readonly values: readonly components['schemas']['Catalog'][];
    };
    /** @description The vApp, and the task that applies the request to its cluster */
    readonly ChangedVapp: {
      readonly id: string;
      readonly name: string;
      readonly description: string;
      readonly href: string;
      /**
       * @description The status of its VMs if all are equal, otherwise MIXED; RESOLVED if it has none, UNRESOLVED while it is being created, DELETING while it is being deleted
       * @enum {unknown}
       */
      readonly status:
        | 'POWERED_ON'
        | 'POWERED_OFF'
        | 'POWERING_ON'
        | 'POWERING_OFF'
        | 'SUSPENDED'
        | 'FAILED'
        | 'UNKNOWN'
        | 'DELETING'
        | 'UNRESOLVED'
        | 'RESOLVED'
        | 'MIXED'
        | 'FAILED_CREATION';
      /** @description The number of the closest VMware Cloud Director status */
      readonly statusCode: number;
      /** @description The status is the last known one and may be out of date; staleReason says why */
      readonly stale: boolean;
      /** @description Why the status is stale; null if it is not */
      readonly staleReason: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        readonly reason: string;
        /** @description What is unknown, and since when */
        readonly message: string;
      } | null;
      readonly vdc: components['schemas']['Reference'];
      /** @description The user who created it; null if that is unknown */
      readonly owner: components['schemas']['Reference'] | null;
      readonly numberOfVMs: number;
      /** @description Why the template could not be instantiated */
      readonly fault: string | null;
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
      readonly task?: components['schemas']['Task'];
    };
    /** @description The virtual data center, and the task that applies the request to its cluster, if any */
    readonly ChangedVdc: {
      /** @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11 */
      readonly id: string;
      /**
       * @description Unique in the organization, ignoring case. No control characters, and no leading or trailing space. A new name does not rename the namespace.
       * @example production
       */
      readonly name: string;
      /** @description Free text */
      readonly description: string;
      /**
       * @description The allocation model in the terms of VMware Cloud Director. It is stored and shown, but all models enforce the same: the limits.
       * @enum {unknown}
       */
      readonly allocationModel: 'PayAsYouGo' | 'AllocationPool' | 'ReservationPool' | 'Flex';
      /** @description The MHz that one vCPU counts for; default: 1000. Converts limits in MHz to limits in vCPUs */
      readonly vCpuInMhz: number;
      /** @description For all disks together, in MB; 0 means no limit */
      readonly storageLimitMb: number;
      /** @description The number of virtual machines, running or not; 0 means no limit */
      readonly vmQuota: number;
      /** @description The number of network cards of all virtual machines, running or not; default: 100; 0 means no limit */
      readonly nicQuota: number;
      /** @description The number of networks; default: 50; 0 means no limit. Not enforced, because there are no networks yet */
      readonly networkQuota: number;
      /** @description Disks allocate their space as they fill; default: false */
      readonly isThinProvision: boolean;
      /** @description If false, nothing can be created, instantiated or powered on; running VMs keep running. Default: true */
      readonly isEnabled: boolean;
      readonly computeCapacity: {
        readonly cpu: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          readonly allocated: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          readonly limit: number;
          /**
           * @description Always MHz
           * @enum {string}
           */
          readonly units: 'MHz';
          /** @description The limit in whole vCPUs: limit divided by vCpuInMhz, rounded down; 0 means no limit. Read-only */
          readonly cores: number;
        };
        readonly memory: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          readonly allocated: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          readonly limit: number;
          /**
           * @description Always MB of 1024 × 1024 bytes
           * @enum {string}
           */
          readonly units: 'MB';
        };
      };
      /** @description Always empty: storage is limited by storageLimitMb */
      readonly vdcStorageProfiles: Record<string, never>;
      readonly org: components['schemas']['Reference'];
      /** @description 1 ready, 0 not ready, -1 creation failed */
      readonly status: number;
      /** @description READY, NOT_READY, FAILED_CREATION; or DELETING, for which VMware Cloud Director has no number (0) */
      readonly statusText: string;
      /** @description The status is the last known one and may be out of date; staleReason says why */
      readonly stale: boolean;
      /** @description Why the status is stale; null if it is not */
      readonly staleReason: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        readonly reason: string;
        /** @description What is unknown, and since when */
        readonly message: string;
      } | null;
      /** @description What it waits for, or why it does not match the request; otherwise empty */
      readonly message: string;
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
      /**
       * @description The member of the fleet that it is on (the provider VDC of VMware Cloud Director); default: the default cluster. Cannot be changed later
       * @example local
       */
      readonly cluster: string;
      /** @description Its namespace in the cluster, derived from the names and the id at creation. Cannot be changed */
      readonly namespace: string;
      readonly task?: components['schemas']['Task'];
    };
    /** @description The VM, and the task that applies the request to its cluster */
    readonly ChangedVm: {
      readonly id: string;
      readonly name: string;
      readonly description: string;
      readonly href: string;
      /**
       * @description UNRESOLVED until it exists in its cluster; DELETED if it was deleted in its cluster without a request, which lists show only if their filter has status==DELETED
       * @enum {unknown}
       */
      readonly status:
        | 'POWERED_ON'
        | 'POWERED_OFF'
        | 'POWERING_ON'
        | 'POWERING_OFF'
        | 'SUSPENDED'
        | 'FAILED'
        | 'UNKNOWN'
        | 'DELETING'
        | 'DELETED'
        | 'UNRESOLVED';
      /** @description The number of the closest VMware Cloud Director status */
      readonly statusCode: number;
      readonly operations: components['schemas']['PowerOperations'];
      /** @description The status is the last known one and may be out of date; staleReason says why */
      readonly stale: boolean;
      /** @description Why the status is stale; null if it is not */
      readonly staleReason: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        readonly reason: string;
        /** @description What is unknown, and since when */
        readonly message: string;
      } | null;
      readonly vapp: components['schemas']['Reference'];
      /** @description It was created outside of a vApp: its own one is in no list of vApps and is deleted with it */
      readonly standalone: boolean;
      readonly vdc: components['schemas']['Reference'];
      /** @description The user who created it; null if it was created directly in the cluster, or if that is unknown */
      readonly owner: components['schemas']['Reference'] | null;
      /** @description The requested vCPUs; if none were requested, the current ones */
      readonly cpus: number | null;
      /** @description In MB; requested or current, as for cpus */
      readonly memoryMb: number | null;
      /** @description Sets cpus and memoryMb */
      readonly instancetype?: string;
      readonly guestOs: string | null;
      readonly hostName: string | null;
      readonly ipAddresses: readonly string[];
      /** @description A change takes effect after a power-off and power-on */
      readonly restartRequired: boolean;
      /** @description Why it does not run */
      readonly fault: {
        /** @description A constant */
        readonly reason: string;
        readonly message: string;
      } | null;
      /** @description A disk is still being filled */
      readonly busy: boolean;
      readonly disks: readonly components['schemas']['Disk'][];
      /** @description The network cards that were requested; empty for a VM of a template, or one created in the cluster */
      readonly networks: readonly {
        readonly name: string;
        /** @enum {unknown} */
        readonly kind: 'pod' | 'multus';
        /** @description The NetworkAttachmentDefinition of a multus network */
        readonly networkName?: string;
      }[];
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
      /** @description The current size in the cluster; differs from the requested size while a change is pending or needs a restart */
      readonly observed: {
        readonly cpus: number | null;
        readonly memoryMb: number | null;
      };
      /** @description Its cluster and namespace; only for system administrators */
      readonly placement?: {
        readonly cluster: string;
        readonly namespace: string;
        /** @description Of the VirtualMachine */
        readonly vmName: string;
        readonly node: string | null;
      };
      readonly task?: components['schemas']['Task'];
    };
    readonly Cluster: {
      readonly name: string;
      /** @description Whether the API server can reach it now */
      readonly isAvailable: boolean;
      /** @description Whether the vm-controller can reach it now: it answers, and its watches deliver; null if the vm-controller has not tried yet */
      readonly isFollowed: boolean | null;
      /** @description What is wrong, and which process reports it */
      readonly message: string;
      /** @description The state of the VMs shown for it: synced, stale or frozen; null before the first report */
      readonly state: string | null;
      /**
       * Format: date-time
       * @description When the vm-controller last reached it
       */
      readonly lastContactAt: string | null;
      /** Format: date-time */
      readonly stateSince: string | null;
      /** Format: date-time */
      readonly syncedAt: string | null;
      readonly vdcCount: number;
      /** @description What it consists of, as the vm-controller read it last; null before the first time */
      readonly details: components['schemas']['ClusterDetails'] | null;
    };
    readonly ClusterDetails: {
      readonly kubernetesVersion: string | null;
      /** @description Null if KubeVirt is not installed */
      readonly kubevirtVersion: string | null;
      /** @description Null if CDI is not installed */
      readonly cdiVersion: string | null;
      readonly nodes: {
        readonly total: number;
        readonly ready: number;
      } | null;
      /** @description What the nodes that are ready and not cordoned can allocate in total, whether it is used or not */
      readonly capacity: {
        readonly cpus: number;
        readonly memoryMb: number;
      } | null;
      readonly storageClasses:
        | readonly {
            readonly name: string;
            readonly provisioner: string;
            readonly isDefault: boolean;
          }[]
        | null;
      /** @description The feature gates of KubeVirt */
      readonly features: readonly string[] | null;
      /** @description What the vm-controller may not read there, so that its fields are null */
      readonly unread: readonly string[];
      /** Format: date-time */
      readonly readAt: string;
      /** @description It is older than 15 minutes; the vm-controller reads it every five */
      readonly stale: boolean;
    };
    readonly ClusterPage: {
      /** @description Of all pages */
      readonly resultTotal: number;
      readonly pageCount: number;
      /** @description From 1 on */
      readonly page: number;
      readonly pageSize: number;
      /** @description Always empty */
      readonly associations: readonly Record<string, never>[];
      readonly values: readonly components['schemas']['Cluster'][];
    };
    readonly ConsoleTicket: {
      /** @description Whoever holds it may open the console once */
      readonly ticket: string;
      /** @description The serial console, or the screen with keyboard and mouse */
      readonly kind: 'serial' | 'vnc';
      /** Format: date-time */
      readonly expiresAt: string;
      /** @description The console as a web page */
      readonly url: string;
      /** @description The WebSocket, with binary frames; the subprotocol is plain.kubevirt.io or binary */
      readonly streamUrl: string;
    };
    readonly ControllerHealth: {
      readonly status: 'healthy' | 'unhealthy';
      readonly controller: 'running' | 'not_running';
    };
    readonly CurrentSession: {
      readonly id: string;
      readonly site: components['schemas']['Reference'];
      readonly user: components['schemas']['Reference'];
      readonly org: components['schemas']['Reference'];
      readonly operatingOrg: components['schemas']['Reference'];
      /** @description The organization and the site, as <uuid>@<uuid> */
      readonly location: string;
      readonly roles: readonly string[];
      readonly roleRefs: readonly components['schemas']['Reference'][];
      readonly sessionIdleTimeoutMinutes: number;
      /** @description The ids of the operations of this document that your roles permit, sorted */
      readonly operations: readonly string[];
    };
    readonly Disk: {
      readonly name: string;
      /** @description In MB of 1024 × 1024 bytes; null if unknown, as for a container disk */
      readonly sizeMb: number | null;
      /** @description The boot disk of the VM */
      readonly boot: boolean;
    };
    readonly DiskPage: {
      /** @description Of all pages */
      readonly resultTotal: number;
      readonly pageCount: number;
      /** @description From 1 on */
      readonly page: number;
      readonly pageSize: number;
      /** @description Always empty */
      readonly associations: readonly Record<string, never>[];
      readonly values: readonly components['schemas']['Disk'][];
    };
    /** @description Why a request failed */
    readonly Error: {
      readonly minorErrorCode: string;
      readonly message: string;
      readonly stackTrace: null;
    };
    readonly Finding: {
      /**
       * @description wrong needs an action; underway needs patience; note is good to know
       * @enum {unknown}
       */
      readonly severity: 'wrong' | 'underway' | 'note';
      /** @description A constant: the reason of a fault or of a stale status, TASK_FAILED, NOT_CREATED and so on */
      readonly reason: string;
      /** @description One sentence */
      readonly what: string;
      /** @description The cause, as far as it is known */
      readonly why: string | null;
      /** @description What to do */
      readonly remedy: string | null;
    };
    readonly InstanceType: {
      readonly name: string;
      readonly displayName?: string;
      readonly cpus: number;
      /** @description In MiB */
      readonly memoryMb: number;
    };
    readonly InstanceTypePage: {
      /** @description Of all pages */
      readonly resultTotal: number;
      readonly pageCount: number;
      /** @description From 1 on */
      readonly page: number;
      readonly pageSize: number;
      /** @description Always empty */
      readonly associations: readonly Record<string, never>[];
      readonly values: readonly components['schemas']['InstanceType'][];
      /** @description False if the cluster has not been read yet or may not be read; the list may then be incomplete */
      readonly isComplete: boolean;
    };
    /** @description The vApp, the task that creates its VMs, and the values that were generated for its parameters */
    readonly InstantiatedVapp: {
      readonly id: string;
      readonly name: string;
      readonly description: string;
      readonly href: string;
      /**
       * @description The status of its VMs if all are equal, otherwise MIXED; RESOLVED if it has none, UNRESOLVED while it is being created, DELETING while it is being deleted
       * @enum {unknown}
       */
      readonly status:
        | 'POWERED_ON'
        | 'POWERED_OFF'
        | 'POWERING_ON'
        | 'POWERING_OFF'
        | 'SUSPENDED'
        | 'FAILED'
        | 'UNKNOWN'
        | 'DELETING'
        | 'UNRESOLVED'
        | 'RESOLVED'
        | 'MIXED'
        | 'FAILED_CREATION';
      /** @description The number of the closest VMware Cloud Director status */
      readonly statusCode: number;
      /** @description The status is the last known one and may be out of date; staleReason says why */
      readonly stale: boolean;
      /** @description Why the status is stale; null if it is not */
      readonly staleReason: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        readonly reason: string;
        /** @description What is unknown, and since when */
        readonly message: string;
      } | null;
      readonly vdc: components['schemas']['Reference'];
      /** @description The user who created it; null if that is unknown */
      readonly owner: components['schemas']['Reference'] | null;
      readonly numberOfVMs: number;
      /** @description Why the template could not be instantiated */
      readonly fault: string | null;
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
      readonly task?: components['schemas']['Task'];
      /**
       * @description The values that were generated for parameters without a value in the request, by name; absent if there are none. Shown only in this response
       * @example {
       *       "PASSWORD": "f3kq9zr1x0ab"
       *     }
       */
      readonly generatedParameters?: {
        readonly [key: string]: string;
      };
    };
    /**
     * @description A vApp to create from a catalog item. For boot images and items of the catalog itself you can describe the VM; for templates, which describe their own VMs, those fields are rejected
     * @example {
     *       "name": "web",
     *       "catalogItem": {
     *         "id": "urn:vcloud:catalogitem:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11"
     *       },
     *       "parameters": {
     *         "NAME": "web"
     *       },
     *       "powerOn": true
     *     }
     */
    readonly Instantiation: {
      /** @description Unique in the virtual data center, ignoring case */
      readonly name: string;
      /** @description Free text */
      readonly description?: string;
      readonly catalogItem?: {
        /**
         * @description As listed in the catalog
         * @example urn:vcloud:catalogitem:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly id: string;
        /** @description Ignored: the id decides */
        readonly name?: string;
      };
      /**
       * @description Instead of catalogItem
       * @example urn:vcloud:catalogitem:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
       */
      readonly catalogItemId?: string;
      /**
       * @description Values of the parameters of the item, by name, each a string. They are never shown again
       * @example {
       *       "NAME": "web"
       *     }
       */
      readonly parameters?: {
        readonly [key: string]: unknown;
      };
      /** @description Start the VMs after they are created. Default: true */
      readonly powerOn?: boolean;
      /** @description vCPUs */
      readonly cpus?: number;
      /** @description In MiB (1024 × 1024 bytes) */
      readonly memoryMb?: number;
      /** @description An instance type, instead of cpus and memoryMb */
      readonly instancetype?: string;
      /** @description A preference, which selects devices for the guest */
      readonly preference?: string;
      /** @description The size of the boot disk in GiB (1024 × 1024 × 1024 bytes). Not with image, which has a fixed size */
      readonly diskSizeGb?: number;
      /** @description Default: the network of the virtual data center */
      readonly networks?: readonly {
        /**
         * @description Unique in the VM
         * @example default
         */
        readonly name: string;
        /**
         * @description pod: the network of the virtual data center; multus: another network, named by networkName
         * @enum {unknown}
         */
        readonly kind: 'pod' | 'multus';
        /** @description For a multus network: a NetworkAttachmentDefinition in the virtual data center */
        readonly networkName?: string;
      }[];
      /** @description At most 64 KiB each. It is never shown again */
      readonly cloudInit?: {
        /** @description For example a #cloud-config document */
        readonly userData?: string;
        /** @description The network configuration in the cloud-init format */
        readonly networkData?: string;
      };
      /** @description Public keys that may log in; the image must read them from cloud-init */
      readonly sshKeys?: readonly string[];
    };
    readonly Liveness: {
      /** @enum {string} */
      readonly status: 'ok';
      readonly version: string;
      /** Format: date-time */
      readonly timestamp: string;
    };
    readonly Machine: {
      readonly namespace: string;
      readonly name: string;
      /** Format: date-time */
      readonly createdAt: string;
      readonly isBeingDeleted: boolean;
      /** @description A constant of the operator */
      readonly reason: string | null;
      /** @description Of the operator: what it waits for, or what is wrong */
      readonly message: string | null;
      readonly ipAddresses: readonly string[];
      /** @description The supervisor does not answer at the moment: this is the last known state */
      readonly stale: boolean;
      readonly phase: string | null;
      /** @description Null before the machine-operator has reported */
      readonly isReady: boolean | null;
      /** @description A change takes effect when it restarts */
      readonly restartRequired: boolean;
      /** @description Null if it is not placed */
      readonly cluster: string | null;
      /** @description Of the VirtualMachine */
      readonly vmName: string | null;
      readonly nodeName: string | null;
    };
    readonly MachinePage: {
      /** @description Of all pages */
      readonly resultTotal: number;
      readonly pageCount: number;
      /** @description From 1 on */
      readonly page: number;
      readonly pageSize: number;
      /** @description Always empty */
      readonly associations: readonly Record<string, never>[];
      readonly values: readonly components['schemas']['Machine'][];
    };
    /**
     * @description A new catalog; its name is unique in the organization, ignoring case
     * @example {
     *       "name": "web-images",
     *       "description": "Images of the web team"
     *     }
     */
    readonly NewCatalog: {
      /** @description No control characters, and no leading or trailing space */
      readonly name: string;
      /**
       * @description The organization; default: your own
       * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
       */
      readonly orgId?: string;
      /** @description Free text */
      readonly description?: string;
      /** @description All organizations can see it. Requires an organization that may publish (canPublish), or a system administrator */
      readonly isPublished?: boolean;
      /** @description The items include templates and boot images of the clusters. Default: true */
      readonly includesTemplates?: boolean;
    };
    /**
     * @description A new catalog item; its name is unique in the catalog, ignoring case
     * @example {
     *       "name": "fedora-42",
     *       "definition": {
     *         "image": "quay.io/containerdisks/fedora:42",
     *         "cpus": 2,
     *         "memoryMb": 2048
     *       }
     *     }
     */
    readonly NewCatalogItem: {
      /** @description No control characters, and no leading or trailing space */
      readonly name: string;
      /** @description Free text */
      readonly description?: string;
      /** @description What a VM is created from: exactly one of image, dataSource and url; and either an instance type, or cpus and memoryMb */
      readonly definition: {
        /**
         * @description A container disk, without a scheme
         * @example containerdisks/fedora:42
         */
        readonly image?: string;
        /** @description A boot image that a cluster offers */
        readonly dataSource?: {
          readonly namespace: string;
          readonly name: string;
        };
        /** @description An image that is downloaded over HTTP; requires diskSizeGb; must not contain credentials */
        readonly url?: string;
        /** @description An instance type of the cluster, instead of cpus and memoryMb */
        readonly instancetype?: string;
        /** @description A preference of the cluster */
        readonly preference?: string;
        readonly cpus?: number;
        /** @description In MiB (1024 × 1024 bytes) */
        readonly memoryMb?: number;
        /** @description In GiB (1024 × 1024 × 1024 bytes) */
        readonly diskSizeGb?: number;
        readonly guestOs?: string;
        /** @description The default for the guest when the request gives none. Refer to parameter values as ${NAME}. Pass secrets only as parameters: everyone who sees the catalog can read the rest */
        readonly cloudInit?: {
          readonly userData?: string;
          readonly networkData?: string;
        };
        readonly parameters?: readonly {
          /** @description Letters, digits and _ */
          readonly name: string;
          readonly displayName?: string;
          readonly description?: string;
          /** @description The value to use when none is given; must not be a secret */
          readonly default?: string;
          readonly required?: boolean;
          /**
           * @description The expression that a missing value is generated from, in the syntax of OpenShift templates
           * @example web-[a-z0-9]{5}
           */
          readonly generatedFrom?: string;
        }[];
      };
    };
    /**
     * @example {
     *       "kind": "serial"
     *     }
     */
    readonly NewConsoleTicket: {
      /** @description The serial console, or the screen with keyboard and mouse */
      readonly kind?: 'serial' | 'vnc';
    };
    /**
     * @description An empty disk; exactly one of sizeGb and sizeMb
     * @example {
     *       "name": "data",
     *       "sizeGb": 20
     *     }
     */
    readonly NewDisk: {
      /**
       * @description Unique in the VM; lower-case letters, digits and dashes
       * @example data
       */
      readonly name: string;
      /** @description In GiB (1024 × 1024 × 1024 bytes) */
      readonly sizeGb?: number;
      /** @description In MB, instead of sizeGb */
      readonly sizeMb?: number;
      /** @description A storage class of the virtual data center; "default", or leaving it out, selects its default class. Unknown classes are rejected */
      readonly storageClass?: string;
    };
    /**
     * @example {
     *       "name": "acme",
     *       "displayName": "Acme Corporation",
     *       "isEnabled": true
     *     }
     */
    readonly NewOrganization: {
      /** @description 1 to 128 letters, digits, "-", "_", "." and spaces, with no leading or trailing space; the part after the last @ at log-in */
      readonly name: string;
      readonly displayName?: string;
      readonly description?: string;
      /** @description If false, users of the organization cannot log in, and their sessions end at once */
      readonly isEnabled?: boolean;
      readonly canManageOrgs?: boolean;
      /** @description Whether its catalogs can be published to other organizations */
      readonly canPublish?: boolean;
      /** @description Read-only; ignored */
      readonly id?: unknown;
      /** @description Read-only; ignored */
      readonly managedBy?: unknown;
      /** @description Read-only; ignored */
      readonly orgVdcCount?: unknown;
      /** @description Read-only; ignored */
      readonly catalogCount?: unknown;
      /** @description Read-only; ignored */
      readonly vappCount?: unknown;
      /** @description Read-only; ignored */
      readonly runningVMCount?: unknown;
      /** @description Read-only; ignored */
      readonly userCount?: unknown;
      /** @description Read-only; ignored */
      readonly diskCount?: unknown;
      /** @description Read-only; ignored */
      readonly directlyManagedOrgCount?: unknown;
      /**
       * @description Must be empty: names are not masked
       * @enum {string}
       */
      readonly maskedEventTaskUsername?: '';
      /** @description Read-only; ignored */
      readonly createdAt?: unknown;
      /** @description Read-only; ignored */
      readonly updatedAt?: unknown;
    };
    /**
     * @example {
     *       "username": "alice",
     *       "fullName": "Alice Adams",
     *       "password": "correct-horse-battery-staple",
     *       "organizationId": "urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11"
     *     }
     */
    readonly NewUser: {
      /** @description No spaces, colons or invisible characters; unique in the organization, ignoring case, and not to be mistaken for another name in it, as "1da" for "lda" */
      readonly username: string;
      readonly fullName?: string;
      readonly description?: string;
      /** @description An email address, or empty */
      readonly email?: string;
      /** @description Never shown; must not contain the user name, and not repeat a few characters */
      readonly password?: string;
      /** @description How many VMs of the user may be powered on; 0: no limit */
      readonly deployedVmQuota?: number;
      /** @description How many VMs the user may own, running or not; 0: no limit */
      readonly storedVmQuota?: number;
      /** @description If false, the user cannot log in, has no sessions, and loses the API tokens */
      readonly enabled?: boolean;
      /** @enum {string} */
      readonly providerType?: 'LOCAL';
      /**
       * @description Default: your own organization
       * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
       */
      readonly organizationId?: string;
      /** @description All roles of the user; roles that are not listed are revoked */
      readonly roleEntityRefs?: readonly {
        /**
         * @description The role
         * @example urn:vcloud:role:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly id: string;
        readonly name?: string;
      }[];
    };
    /**
     * @description A vApp without VMs; add them afterwards
     * @example {
     *       "name": "shop",
     *       "description": "The web shop"
     *     }
     */
    readonly NewVapp: {
      /** @description Unique in the virtual data center, ignoring case */
      readonly name: string;
      /** @description Free text */
      readonly description?: string;
    };
    /**
     * @description A new virtual data center
     * @example {
     *       "name": "production",
     *       "computeCapacity": {
     *         "cpu": {
     *           "limit": 64000
     *         },
     *         "memory": {
     *           "limit": 131072
     *         }
     *       },
     *       "storageLimitMb": 1048576,
     *       "vmQuota": 50
     *     }
     */
    readonly NewVdc: {
      /**
       * @description Unique in the organization, ignoring case. No control characters, and no leading or trailing space. A new name does not rename the namespace.
       * @example production
       */
      readonly name: string;
      /** @description Free text */
      readonly description?: string;
      /**
       * @description The allocation model in the terms of VMware Cloud Director. It is stored and shown, but all models enforce the same: the limits.
       * @enum {unknown}
       */
      readonly allocationModel?: 'PayAsYouGo' | 'AllocationPool' | 'ReservationPool' | 'Flex';
      /** @description The MHz that one vCPU counts for; default: 1000. Converts limits in MHz to limits in vCPUs */
      readonly vCpuInMhz?: number;
      /** @description For all disks together, in MB; 0 means no limit */
      readonly storageLimitMb?: number;
      /** @description The number of virtual machines, running or not; 0 means no limit */
      readonly vmQuota?: number;
      /** @description The number of network cards of all virtual machines, running or not; default: 100; 0 means no limit */
      readonly nicQuota?: number;
      /** @description The number of networks; default: 50; 0 means no limit. Not enforced, because there are no networks yet */
      readonly networkQuota?: number;
      /** @description Disks allocate their space as they fill; default: false */
      readonly isThinProvision?: boolean;
      /** @description If false, nothing can be created, instantiated or powered on; running VMs keep running. Default: true */
      readonly isEnabled?: boolean;
      /**
       * @description The member of the fleet that it is on (the provider VDC of VMware Cloud Director); default: the default cluster. Cannot be changed later
       * @example local
       */
      readonly cluster?: string;
      /** @description CPU and memory; no limits if absent */
      readonly computeCapacity?: {
        /** @description In MHz */
        readonly cpu?: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          readonly allocated?: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          readonly limit?: number;
          /**
           * @description Always MHz
           * @enum {string}
           */
          readonly units?: 'MHz';
        };
        /** @description In MB */
        readonly memory?: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          readonly allocated?: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          readonly limit?: number;
          /**
           * @description Always MB of 1024 × 1024 bytes
           * @enum {string}
           */
          readonly units?: 'MB';
        };
      };
    };
    /**
     * @description A new virtual machine: exactly one of image, dataSource, url and blank; and either an instance type, or cpus and memoryMb
     * @example {
     *       "name": "web-1",
     *       "image": "quay.io/containerdisks/fedora:42",
     *       "cpus": 2,
     *       "memoryMb": 2048,
     *       "disks": [
     *         {
     *           "name": "data",
     *           "sizeGb": 20
     *         }
     *       ],
     *       "cloudInit": {
     *         "userData": "#cloud-config\npackages: [nginx]\n"
     *       },
     *       "powerOn": true
     *     }
     */
    readonly NewVm: {
      /** @description Unique in its vApp, ignoring case; for a standalone VM, unique in the virtual data center */
      readonly name: string;
      /** @description Free text */
      readonly description?: string;
      /**
       * @description Boots from a container disk, without a scheme. Writes to it are lost when the VM stops
       * @example containerdisks/fedora:42
       */
      readonly image?: string;
      /** @description Boots from a copy of a boot image of the catalogs */
      readonly dataSource?: {
        readonly namespace: string;
        readonly name: string;
      };
      /** @description Boots from an image that is downloaded over HTTP; requires diskSizeGb; must not contain credentials */
      readonly url?: string;
      /**
       * @description Boots from an empty disk; requires diskSizeGb
       * @enum {boolean}
       */
      readonly blank?: true;
      /** @description vCPUs */
      readonly cpus?: number;
      /** @description In MiB (1024 × 1024 bytes) */
      readonly memoryMb?: number;
      /** @description An instance type, instead of cpus and memoryMb */
      readonly instancetype?: string;
      /** @description A preference, which selects devices for the guest */
      readonly preference?: string;
      /** @description The size of the boot disk in GiB (1024 × 1024 × 1024 bytes). Not with image, which has a fixed size */
      readonly diskSizeGb?: number;
      /** @description In addition to the boot disk */
      readonly disks?: readonly components['schemas']['NewDisk'][];
      /** @description Default: the network of the virtual data center */
      readonly networks?: readonly {
        /**
         * @description Unique in the VM
         * @example default
         */
        readonly name: string;
        /**
         * @description pod: the network of the virtual data center; multus: another network, named by networkName
         * @enum {unknown}
         */
        readonly kind: 'pod' | 'multus';
        /** @description For a multus network: a NetworkAttachmentDefinition in the virtual data center */
        readonly networkName?: string;
      }[];
      /** @description At most 64 KiB each. It is never shown again */
      readonly cloudInit?: {
        /** @description For example a #cloud-config document */
        readonly userData?: string;
        /** @description The network configuration in the cloud-init format */
        readonly networkData?: string;
      };
      /** @description Public keys that may log in; the image must read them from cloud-init */
      readonly sshKeys?: readonly string[];
      /** @description Start the VM after it is created. Default: true */
      readonly powerOn?: boolean;
    };
    readonly Order: {
      readonly namespace: string;
      readonly name: string;
      /** Format: date-time */
      readonly createdAt: string;
      readonly isBeingDeleted: boolean;
      /** @description A constant of the operator */
      readonly reason: string | null;
      /** @description Of the operator: what it waits for, or what is wrong */
      readonly message: string | null;
      readonly ipAddresses: readonly string[];
      /** @description The supervisor does not answer at the moment: this is the last known state */
      readonly stale: boolean;
      readonly templateId: string;
      readonly phase: string | null;
      /** @description controller or aap; null before that is decided */
      readonly provisionedBy: string | null;
      /** @description Null before the cloudkit-operator has reported */
      readonly isAvailable: boolean | null;
      readonly desiredConfigVersion: string | null;
      readonly reconciledConfigVersion: string | null;
      readonly vmNamespace: string | null;
      /** @description Of the VirtualMachine */
      readonly vmName: string | null;
    };
    readonly OrderPage: {
      /** @description Of all pages */
      readonly resultTotal: number;
      readonly pageCount: number;
      /** @description From 1 on */
      readonly page: number;
      readonly pageSize: number;
      /** @description Always empty */
      readonly associations: readonly Record<string, never>[];
      readonly values: readonly components['schemas']['Order'][];
    };
    /**
     * @example {
     *       "templateID": "osac.templates.ocp_virt_vm",
     *       "templateParameters": {
     *         "vm_name": "web-1",
     *         "cpu_cores": 2,
     *         "memory": "2Gi"
     *       }
     *     }
     */
    readonly OrderToValidate: {
      /** @example osac.templates.ocp_virt_vm */
      readonly templateID: string;
      /**
       * @description An object, or the same as JSON text, as in an order; leave it out for the defaults
       * @example {
       *       "cpu_cores": 2,
       *       "memory": "4Gi"
       *     }
       */
      readonly templateParameters?:
        | {
            readonly [key: string]: unknown;
          }
        | string;
    };
    readonly OrderValidation: {
      /** @description The order has no problem that can be found without its cluster */
      readonly valid: boolean;
      readonly problems: readonly {
        /** @description The parameter; or templateID; or templateParameters if the whole text is meant */
        readonly field: string;
        /** @description The value in a form that is safe to show: of user data and keys only the length */
        readonly value: string;
        /** @description What the value must be */
        readonly rule: string;
        /** @description The problem in one sentence, with the remedy */
        readonly message: string;
      }[];
      readonly warnings: readonly string[];
      /** @description The parameters of the order with defaults filled in; absent for templates that are not built in, since only a cluster knows their parameters */
      readonly parameters?: {
        readonly cpu_cores: number;
        readonly memory: string;
        readonly disk_size: string;
        /** @description With its scheme */
        readonly image_source: string;
        readonly exposed_ports: string;
        /** @description Its length */
        readonly cloud_init_config: string;
        /** @description Its length; absent if there is none */
        readonly ssh_public_key?: string;
      };
    };
    readonly Organization: {
      /** @description 1 to 128 letters, digits, "-", "_", "." and spaces, with no leading or trailing space; the part after the last @ at log-in */
      readonly name: string;
      readonly displayName: string;
      readonly description: string;
      /** @description If false, users of the organization cannot log in, and their sessions end at once */
      readonly isEnabled: boolean;
      readonly canManageOrgs: boolean;
      /** @description Whether its catalogs can be published to other organizations */
      readonly canPublish: boolean;
      readonly id: string;
      readonly managedBy: components['schemas']['Reference'];
      readonly orgVdcCount: number;
      readonly catalogCount: number;
      readonly vappCount: number;
      readonly runningVMCount: number;
      readonly userCount: number;
      readonly diskCount: number;
      readonly directlyManagedOrgCount: number;
      /** @description Always empty: names are not masked */
      readonly maskedEventTaskUsername: string;
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
    };
    /**
     * @example {
     *       "displayName": "Acme Incorporated"
     *     }
     */
    readonly OrganizationChange: {
      /** @description 1 to 128 letters, digits, "-", "_", "." and spaces, with no leading or trailing space; the part after the last @ at log-in */
      readonly name?: string;
      readonly displayName?: string;
      readonly description?: string;
      /** @description If false, users of the organization cannot log in, and their sessions end at once */
      readonly isEnabled?: boolean;
      readonly canManageOrgs?: boolean;
      /** @description Whether its catalogs can be published to other organizations */
      readonly canPublish?: boolean;
      /** @description Read-only; ignored */
      readonly id?: unknown;
      /** @description Read-only; ignored */
      readonly managedBy?: unknown;
      /** @description Read-only; ignored */
      readonly orgVdcCount?: unknown;
      /** @description Read-only; ignored */
      readonly catalogCount?: unknown;
      /** @description Read-only; ignored */
      readonly vappCount?: unknown;
      /** @description Read-only; ignored */
      readonly runningVMCount?: unknown;
      /** @description Read-only; ignored */
      readonly userCount?: unknown;
      /** @description Read-only; ignored */
      readonly diskCount?: unknown;
      /** @description Read-only; ignored */
      readonly directlyManagedOrgCount?: unknown;
      /**
       * @description Must be empty: names are not masked
       * @enum {string}
       */
      readonly maskedEventTaskUsername?: '';
      /** @description Read-only; ignored */
      readonly createdAt?: unknown;
      /** @description Read-only; ignored */
      readonly updatedAt?: unknown;
    };
    readonly OrganizationPage: {
      /** @description Of all pages */
      readonly resultTotal: number;
      readonly pageCount: number;
      /** @description From 1 on */
      readonly page: number;
      readonly pageSize: number;
      /** @description Always empty */
      readonly associations: readonly Record<string, never>[];
      readonly values: readonly components['schemas']['Organization'][];
    };
    /** @description Whether the current status permits each power operation; your roles are in the current session */
    readonly PowerOperations: {
      readonly powerOn: {
        readonly allowed: boolean;
        /** @description Why not, and what to do; absent if it is allowed */
        readonly reason?: string;
      };
      readonly powerOff: {
        readonly allowed: boolean;
        /** @description Why not, and what to do; absent if it is allowed */
        readonly reason?: string;
      };
      readonly shutdown: {
        readonly allowed: boolean;
        /** @description Why not, and what to do; absent if it is allowed */
        readonly reason?: string;
      };
      readonly reset: {
        readonly allowed: boolean;
        /** @description Why not, and what to do; absent if it is allowed */
        readonly reason?: string;
      };
      readonly reboot: {
        readonly allowed: boolean;
        /** @description Why not, and what to do; absent if it is allowed */
        readonly reason?: string;
      };
      readonly suspend: {
        readonly allowed: boolean;
        /** @description Why not, and what to do; absent if it is allowed */
        readonly reason?: string;
      };
      readonly resume: {
        readonly allowed: boolean;
        /** @description Why not, and what to do; absent if it is allowed */
        readonly reason?: string;
      };
    };
    readonly Preference: {
      readonly name: string;
      readonly displayName?: string;
    };
    readonly PreferencePage: {
      /** @description Of all pages */
      readonly resultTotal: number;
      readonly pageCount: number;
      /** @description From 1 on */
      readonly page: number;
      readonly pageSize: number;
      /** @description Always empty */
      readonly associations: readonly Record<string, never>[];
      readonly values: readonly components['schemas']['Preference'][];
      /** @description False if the cluster has not been read yet or may not be read; the list may then be incomplete */
      readonly isComplete: boolean;
    };
    readonly Readiness: {
      readonly ready: boolean;
      /** @description What the server waits for before it can serve requests */
      readonly message?: string;
      /** Format: date-time */
      readonly timestamp: string;
      readonly services: {
        readonly database: 'ready' | 'unavailable';
        /** @description How many clusters are in each state; a provider reads their names from /cloudapi/1.0.0/clusters. unavailable: this server cannot reach it. stale: this server can, but the vm-controller cannot or is not running. unknown: this server can, but the vm-controller has never reached it, or the database did not answer in time */
        readonly clusters: {
          readonly ready: number;
          readonly unavailable: number;
          readonly stale: number;
          readonly unknown: number;
        };
      };
      /** @description How many clusters are not ready */
      readonly degraded: number;
    };
    readonly Reference: {
      readonly name: string;
      readonly id: string;
    };
    /** @description A token that has not been handed out yet */
    readonly RegisteredToken: {
      /** @description The uuid to fetch the token with */
      readonly client_id: string;
      readonly client_name: string;
      readonly grant_types: readonly string[];
      readonly token_endpoint_auth_method: string;
      /**
       * Format: date-time
       * @description Null if the token is valid until it is revoked
       */
      readonly expires_at: string | null;
    };
    readonly Role: {
      readonly id: string;
      readonly name: string;
      readonly description: string;
      readonly bundleKey: string;
      readonly readOnly: boolean;
    };
    readonly RolePage: {
      /** @description Of all pages */
      readonly resultTotal: number;
      readonly pageCount: number;
      /** @description From 1 on */
      readonly page: number;
      readonly pageSize: number;
      /** @description Always empty */
      readonly associations: readonly Record<string, never>[];
      readonly values: readonly components['schemas']['Role'][];
    };
    /** @description A session */
    readonly Session: {
      readonly id: string;
      readonly site: components['schemas']['Reference'];
      readonly user: components['schemas']['Reference'];
      readonly org: components['schemas']['Reference'];
      readonly operatingOrg: components['schemas']['Reference'];
      /** @description The organization and the site, as <uuid>@<uuid> */
      readonly location: string;
      readonly roles: readonly string[];
      readonly roleRefs: readonly components['schemas']['Reference'][];
      readonly sessionIdleTimeoutMinutes: number;
    };
    readonly StatusCounts: {
      readonly total: number;
      /** @description Those whose status is not current */
      readonly stale: number;
      /** @description The number for each status that occurs, stale ones included */
      readonly byStatus: {
        readonly [key: string]: number;
      };
    };
    readonly Summary: {
      readonly vms: components['schemas']['StatusCounts'];
      readonly vapps: components['schemas']['StatusCounts'];
    };
    readonly SyncFailure: {
      readonly id: string;
      readonly cluster: string;
      readonly namespace: string;
      /** @description Of the VirtualMachine in the cluster */
      readonly vmName: string;
      readonly vm: components['schemas']['Reference'] | null;
      readonly errorType: string;
      readonly message: string;
      readonly attempts: number;
      /** Format: date-time */
      readonly firstFailedAt: string;
      /** Format: date-time */
      readonly lastFailedAt: string;
      /** Format: date-time */
      readonly resolvedAt: string | null;
    };
    readonly SyncFailurePage: {
      /** @description Of all pages */
      readonly resultTotal: number;
      readonly pageCount: number;
      /** @description From 1 on */
      readonly page: number;
      readonly pageSize: number;
      /** @description Always empty */
      readonly associations: readonly Record<string, never>[];
      readonly values: readonly components['schemas']['SyncFailure'][];
    };
    readonly Task: {
      readonly id: string;
      /** @description The URL of the task */
      readonly href: string;
      readonly type: string;
      readonly name: string;
      /** @description The operation as text */
      readonly operation: string;
      /** @description The operation as a constant */
      readonly operationName: string;
      /** @enum {unknown} */
      readonly status: 'queued' | 'preRunning' | 'running' | 'success' | 'error' | 'canceled' | 'aborted';
      /** @description In percent */
      readonly progress: number;
      readonly step: string;
      /** @description What a task waits for, or why its last attempt failed */
      readonly message: string;
      /** Format: date-time */
      readonly startTime: string;
      /** Format: date-time */
      readonly endTime: string | null;
      readonly owner: components['schemas']['Reference'];
      readonly user: components['schemas']['Reference'] | null;
      readonly org: components['schemas']['Reference'];
      /** @description Why a request failed */
      readonly error: components['schemas']['Error'] | null;
      /** @description More about the request. Of a creation: powerOn says whether the VM or vApp is powered on after it; the task ends before it runs */
      readonly details: {
        readonly [key: string]: unknown;
      };
    };
    readonly TaskPage: {
      /** @description Of all pages */
      readonly resultTotal: number;
      readonly pageCount: number;
      /** @description From 1 on */
      readonly page: number;
      readonly pageSize: number;
      /** @description Always empty */
      readonly associations: readonly Record<string, never>[];
      readonly values: readonly components['schemas']['Task'][];
    };
    /** @description An API token */
    readonly Token: {
      readonly id: string;
      readonly name: string;
      /** @description Shown once, when it is handed out */
      readonly token: null;
      readonly owner: components['schemas']['Reference'];
      readonly org: components['schemas']['Reference'];
      /** @enum {string} */
      readonly type: 'REFRESH';
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly lastUsedAt: string | null;
      /** Format: date-time */
      readonly expirationDate: string | null;
    };
    /**
     * @example {
     *       "grant_type": "refresh_token",
     *       "refresh_token": "THE-API-TOKEN"
     *     }
     */
    readonly TokenGrant: {
      /** @description refresh_token, or urn:ietf:params:oauth:grant-type:jwt-bearer */
      readonly grant_type: string;
      /** @description The API token; with refresh_token */
      readonly refresh_token?: string;
      /** @description The token of a session; with jwt-bearer */
      readonly assertion?: string;
      /** @description As registered; with jwt-bearer */
      readonly client_id?: string;
    };
    readonly TokenPage: {
      /** @description Of all pages */
      readonly resultTotal: number;
      readonly pageCount: number;
      /** @description From 1 on */
      readonly page: number;
      readonly pageSize: number;
      /** @description Always empty */
      readonly associations: readonly Record<string, never>[];
      readonly values: readonly components['schemas']['Token'][];
    };
    /**
     * @example {
     *       "client_name": "terraform"
     *     }
     */
    readonly TokenRegistration: {
      /** @description What the token is for; unique among your tokens */
      readonly client_name: string;
      /** @description The lifetime of the token in seconds. Default: the longest that the server allows, or no end if it sets none */
      readonly expires_in?: number;
    };
    /** @description A session */
    readonly TokenResponse: {
      /** @description The token of a session */
      readonly access_token: string;
      /** @enum {string} */
      readonly token_type: 'Bearer';
      /** @description In seconds */
      readonly expires_in: number;
      /** @description The API token; shown only once */
      readonly refresh_token: string | null;
    };
    /** @description A user */
    readonly User: {
      readonly id: string;
      /** @description No spaces, colons or invisible characters; unique in the organization, ignoring case, and not to be mistaken for another name in it, as "1da" for "lda" */
      readonly username: string;
      readonly fullName: string;
      readonly description: string;
      /** @description An email address, or empty */
      readonly email: string;
      /** @description How many VMs of the user may be powered on; 0: no limit */
      readonly deployedVmQuota: number;
      /** @description How many VMs the user may own, running or not; 0: no limit */
      readonly storedVmQuota: number;
      /** @description If false, the user cannot log in, has no sessions, and loses the API tokens */
      readonly enabled: boolean;
      readonly locked: boolean;
      readonly nameInSource: string;
      readonly isGroupRole: boolean;
      readonly stranded: boolean;
      /** @enum {string} */
      readonly providerType: 'LOCAL';
      readonly organizationId: string;
      readonly organizationName: string;
      readonly roleEntityRefs: readonly components['schemas']['Reference'][];
      readonly orgEntityRef: components['schemas']['Reference'];
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
    };
    /**
     * @example {
     *       "email": "alice@acme.example"
     *     }
     */
    readonly UserChange: {
      /** @description No spaces, colons or invisible characters; unique in the organization, ignoring case, and not to be mistaken for another name in it, as "1da" for "lda" */
      readonly username?: string;
      readonly fullName?: string;
      readonly description?: string;
      /** @description An email address, or empty */
      readonly email?: string;
      /** @description Never shown; must not contain the user name, and not repeat a few characters */
      readonly password?: string;
      /** @description How many VMs of the user may be powered on; 0: no limit */
      readonly deployedVmQuota?: number;
      /** @description How many VMs the user may own, running or not; 0: no limit */
      readonly storedVmQuota?: number;
      /** @description If false, the user cannot log in, has no sessions, and loses the API tokens */
      readonly enabled?: boolean;
      /** @enum {string} */
      readonly providerType?: 'LOCAL';
      /**
       * @description Must be the current organization; users cannot move
       * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
       */
      readonly organizationId?: string;
      /** @description All roles of the user; roles that are not listed are revoked */
      readonly roleEntityRefs?: readonly {
        /**
         * @description The role
         * @example urn:vcloud:role:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly id: string;
        readonly name?: string;
      }[];
      /** @description Required to change your own password */
      readonly currentPassword?: string;
      /** @description With a new password: true keeps the API tokens of the user. Default: false */
      readonly keepApiTokens?: boolean;
      readonly locked?: boolean;
      /** @description Read-only; ignored */
      readonly id?: unknown;
      /** @description Read-only; ignored */
      readonly nameInSource?: unknown;
      /** @description Read-only; ignored */
      readonly isGroupRole?: unknown;
      /** @description Read-only; ignored */
      readonly stranded?: unknown;
      /** @description Read-only; ignored */
      readonly organizationName?: unknown;
      /** @description Read-only; ignored */
      readonly orgEntityRef?: unknown;
      /** @description Read-only; ignored */
      readonly createdAt?: unknown;
      /** @description Read-only; ignored */
      readonly updatedAt?: unknown;
    };
    readonly UserPage: {
      /** @description Of all pages */
      readonly resultTotal: number;
      readonly pageCount: number;
      /** @description From 1 on */
      readonly page: number;
      readonly pageSize: number;
      /** @description Always empty */
      readonly associations: readonly Record<string, never>[];
      readonly values: readonly components['schemas']['User'][];
    };
    readonly Vapp: {
      readonly id: string;
      readonly name: string;
      readonly description: string;
      readonly href: string;
      /**
       * @description The status of its VMs if all are equal, otherwise MIXED; RESOLVED if it has none, UNRESOLVED while it is being created, DELETING while it is being deleted
       * @enum {unknown}
       */
      readonly status:
        | 'POWERED_ON'
        | 'POWERED_OFF'
        | 'POWERING_ON'
        | 'POWERING_OFF'
        | 'SUSPENDED'
        | 'FAILED'
        | 'UNKNOWN'
        | 'DELETING'
        | 'UNRESOLVED'
        | 'RESOLVED'
        | 'MIXED'
        | 'FAILED_CREATION';
      /** @description The number of the closest VMware Cloud Director status */
      readonly statusCode: number;
      /** @description The status is the last known one and may be out of date; staleReason says why */
      readonly stale: boolean;
      /** @description Why the status is stale; null if it is not */
      readonly staleReason: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        readonly reason: string;
        /** @description What is unknown, and since when */
        readonly message: string;
      } | null;
      readonly vdc: components['schemas']['Reference'];
      /** @description The user who created it; null if that is unknown */
      readonly owner: components['schemas']['Reference'] | null;
      readonly numberOfVMs: number;
      /** @description Why the template could not be instantiated */
      readonly fault: string | null;
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
      readonly operations?: components['schemas']['PowerOperations'];
    };
    /**
     * @description The fields to change: name, description; absent fields stay. You can send back what you read
     * @example {
     *       "description": "The web shop, with its database"
     *     }
     */
    readonly VappChange: {
      /**
       * @description Read-only; must equal the id in the path
       * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
       */
      readonly id?: string;
      /** @description Ignored */
      readonly href?: unknown;
      /** @description Ignored */
      readonly status?: unknown;
      /** @description Ignored */
      readonly statusCode?: unknown;
      /** @description Ignored */
      readonly stale?: unknown;
      /** @description Ignored */
      readonly staleReason?: unknown;
      /** @description Ignored */
      readonly vdc?: unknown;
      /** @description Ignored */
      readonly owner?: unknown;
      /** @description Ignored */
      readonly numberOfVMs?: unknown;
      /** @description Ignored */
      readonly fault?: unknown;
      /** @description Ignored */
      readonly createdAt?: unknown;
      /** @description Ignored */
      readonly updatedAt?: unknown;
      /** @description Ignored */
      readonly vms?: unknown;
      /** @description Ignored */
      readonly operations?: unknown;
      /** @description Ignored */
      readonly task?: unknown;
      /** @description Unique in the virtual data center, ignoring case */
      readonly name?: string;
      /** @description Free text */
      readonly description?: string;
    };
    readonly VappDetail: {
      readonly id: string;
      readonly name: string;
      readonly description: string;
      readonly href: string;
      /**
       * @description The status of its VMs if all are equal, otherwise MIXED; RESOLVED if it has none, UNRESOLVED while it is being created, DELETING while it is being deleted
       * @enum {unknown}
       */
      readonly status:
        | 'POWERED_ON'
        | 'POWERED_OFF'
        | 'POWERING_ON'
        | 'POWERING_OFF'
        | 'SUSPENDED'
        | 'FAILED'
        | 'UNKNOWN'
        | 'DELETING'
        | 'UNRESOLVED'
        | 'RESOLVED'
        | 'MIXED'
        | 'FAILED_CREATION';
      /** @description The number of the closest VMware Cloud Director status */
      readonly statusCode: number;
      /** @description The status is the last known one and may be out of date; staleReason says why */
      readonly stale: boolean;
      /** @description Why the status is stale; null if it is not */
      readonly staleReason: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        readonly reason: string;
        /** @description What is unknown, and since when */
        readonly message: string;
      } | null;
      readonly vdc: components['schemas']['Reference'];
      /** @description The user who created it; null if that is unknown */
      readonly owner: components['schemas']['Reference'] | null;
      readonly numberOfVMs: number;
      /** @description Why the template could not be instantiated */
      readonly fault: string | null;
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
      readonly operations: components['schemas']['PowerOperations'];
      /** @description Sorted by name */
      readonly vms: readonly {
        readonly id: string;
        readonly name: string;
        readonly href: string;
        /** @enum {unknown} */
        readonly status:
          | 'POWERED_ON'
          | 'POWERED_OFF'
          | 'POWERING_ON'
          | 'POWERING_OFF'
          | 'SUSPENDED'
          | 'FAILED'
          | 'UNKNOWN'
          | 'DELETING'
          | 'DELETED'
          | 'UNRESOLVED';
        readonly statusCode: number;
        readonly stale: boolean;
      }[];
    };
    readonly VappPage: {
      /** @description Of all pages */
      readonly resultTotal: number;
      readonly pageCount: number;
      /** @description From 1 on */
      readonly page: number;
      readonly pageSize: number;
      /** @description Always empty */
      readonly associations: readonly Record<string, never>[];
      readonly values: readonly components['schemas']['Vapp'][];
    };
    /** @description A share of a cluster for an organization, with limits for its virtual machines */
    readonly Vdc: {
      /** @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11 */
      readonly id: string;
      /**
       * @description Unique in the organization, ignoring case. No control characters, and no leading or trailing space. A new name does not rename the namespace.
       * @example production
       */
      readonly name: string;
      /** @description Free text */
      readonly description: string;
      /**
       * @description The allocation model in the terms of VMware Cloud Director. It is stored and shown, but all models enforce the same: the limits.
       * @enum {unknown}
       */
      readonly allocationModel: 'PayAsYouGo' | 'AllocationPool' | 'ReservationPool' | 'Flex';
      /** @description The MHz that one vCPU counts for; default: 1000. Converts limits in MHz to limits in vCPUs */
      readonly vCpuInMhz: number;
      /** @description For all disks together, in MB; 0 means no limit */
      readonly storageLimitMb: number;
      /** @description The number of virtual machines, running or not; 0 means no limit */
      readonly vmQuota: number;
      /** @description The number of network cards of all virtual machines, running or not; default: 100; 0 means no limit */
      readonly nicQuota: number;
      /** @description The number of networks; default: 50; 0 means no limit. Not enforced, because there are no networks yet */
      readonly networkQuota: number;
      /** @description Disks allocate their space as they fill; default: false */
      readonly isThinProvision: boolean;
      /** @description If false, nothing can be created, instantiated or powered on; running VMs keep running. Default: true */
      readonly isEnabled: boolean;
      readonly computeCapacity: {
        readonly cpu: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          readonly allocated: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          readonly limit: number;
          /**
           * @description Always MHz
           * @enum {string}
           */
          readonly units: 'MHz';
          /** @description The limit in whole vCPUs: limit divided by vCpuInMhz, rounded down; 0 means no limit. Read-only */
          readonly cores: number;
        };
        readonly memory: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          readonly allocated: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          readonly limit: number;
          /**
           * @description Always MB of 1024 × 1024 bytes
           * @enum {string}
           */
          readonly units: 'MB';
        };
      };
      /** @description Always empty: storage is limited by storageLimitMb */
      readonly vdcStorageProfiles: Record<string, never>;
      readonly org: components['schemas']['Reference'];
      /** @description 1 ready, 0 not ready, -1 creation failed */
      readonly status: number;
      /** @description READY, NOT_READY, FAILED_CREATION; or DELETING, for which VMware Cloud Director has no number (0) */
      readonly statusText: string;
      /** @description The status is the last known one and may be out of date; staleReason says why */
      readonly stale: boolean;
      /** @description Why the status is stale; null if it is not */
      readonly staleReason: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        readonly reason: string;
        /** @description What is unknown, and since when */
        readonly message: string;
      } | null;
      /** @description What it waits for, or why it does not match the request; otherwise empty */
      readonly message: string;
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
      /**
       * @description The cluster that it is on; only for the provider
       * @example local
       */
      readonly cluster?: string;
      /** @description Its namespace in the cluster; only for the provider */
      readonly namespace?: string;
    };
    /**
     * @description The fields to change; absent fields stay. You can send back what you read: status, statusText, stale, staleReason, message, createdAt, updatedAt and vdcStorageProfiles are ignored
     * @example {
     *       "vmQuota": 100
     *     }
     */
    readonly VdcChange: {
      /**
       * @description Unique in the organization, ignoring case. No control characters, and no leading or trailing space. A new name does not rename the namespace.
       * @example production
       */
      readonly name?: string;
      /** @description Free text */
      readonly description?: string;
      /**
       * @description The allocation model in the terms of VMware Cloud Director. It is stored and shown, but all models enforce the same: the limits.
       * @enum {unknown}
       */
      readonly allocationModel?: 'PayAsYouGo' | 'AllocationPool' | 'ReservationPool' | 'Flex';
      /** @description The MHz that one vCPU counts for; default: 1000. Converts limits in MHz to limits in vCPUs */
      readonly vCpuInMhz?: number;
      /** @description For all disks together, in MB; 0 means no limit */
      readonly storageLimitMb?: number;
      /** @description The number of virtual machines, running or not; 0 means no limit */
      readonly vmQuota?: number;
      /** @description The number of network cards of all virtual machines, running or not; default: 100; 0 means no limit */
      readonly nicQuota?: number;
      /** @description The number of networks; default: 50; 0 means no limit. Not enforced, because there are no networks yet */
      readonly networkQuota?: number;
      /** @description Disks allocate their space as they fill; default: false */
      readonly isThinProvision?: boolean;
      /** @description If false, nothing can be created, instantiated or powered on; running VMs keep running. Default: true */
      readonly isEnabled?: boolean;
      /** @description Absent numbers stay */
      readonly computeCapacity?: {
        /** @description In MHz */
        readonly cpu?: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          readonly allocated?: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          readonly limit?: number;
          /**
           * @description Always MHz
           * @enum {string}
           */
          readonly units?: 'MHz';
          /** @description The limit in whole vCPUs: limit divided by vCpuInMhz, rounded down; 0 means no limit. Read-only */
          readonly cores?: number;
        };
        /** @description In MB */
        readonly memory?: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          readonly allocated?: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          readonly limit?: number;
          /**
           * @description Always MB of 1024 × 1024 bytes
           * @enum {string}
           */
          readonly units?: 'MB';
        };
      };
      /**
       * @description Read-only; must equal the id in the path
       * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
       */
      readonly id?: string;
      /** @description Read-only */
      readonly org?: {
        readonly name?: string;
        /**
         * @description Must equal the id in the path
         * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly id: string;
      };
      /**
       * @description The member of the fleet that it is on (the provider VDC of VMware Cloud Director); default: the default cluster. Cannot be changed later
       * @example local
       */
      readonly cluster?: string;
      /** @description Its namespace in the cluster, derived from the names and the id at creation. Cannot be changed */
      readonly namespace?: string;
      /** @description Always empty: storage is limited by storageLimitMb */
      readonly vdcStorageProfiles?: Record<string, never>;
      /** @description 1 ready, 0 not ready, -1 creation failed */
      readonly status?: number;
      /** @description READY, NOT_READY, FAILED_CREATION; or DELETING, for which VMware Cloud Director has no number (0) */
      readonly statusText?: string;
      /** @description The status is the last known one and may be out of date; staleReason says why */
      readonly stale?: boolean;
      /** @description Why the status is stale; null if it is not */
      readonly staleReason?: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        readonly reason: string;
        /** @description What is unknown, and since when */
        readonly message: string;
      } | null;
      /** @description What it waits for, or why it does not match the request; otherwise empty */
      readonly message?: string;
      /** Format: date-time */
      readonly createdAt?: string;
      /** Format: date-time */
      readonly updatedAt?: string;
    };
    readonly VdcPage: {
      /** @description Of all pages */
      readonly resultTotal: number;
      readonly pageCount: number;
      /** @description From 1 on */
      readonly page: number;
      readonly pageSize: number;
      /** @description Always empty */
      readonly associations: readonly Record<string, never>[];
      readonly values: readonly components['schemas']['Vdc'][];
    };
    /** @description The usage of a virtual data center */
    readonly VdcUsage: {
      readonly vdc: components['schemas']['Reference'];
      /** @description A vCPU counts as vCpuInMhz */
      readonly cpu: {
        /** @description By all virtual machines that are not deleted, running or not */
        readonly used: number;
        /** @description Absent if there is no limit */
        readonly limit?: number;
        /** @description What remains of the limit; absent if there is no limit */
        readonly available?: number;
        /**
         * @description Always MHz
         * @enum {string}
         */
        readonly units: 'MHz';
      };
      readonly vCpus: {
        /** @description By all virtual machines that are not deleted, running or not */
        readonly used: number;
        /** @description Absent if there is no limit */
        readonly limit?: number;
        /** @description What remains of the limit; absent if there is no limit */
        readonly available?: number;
      };
      readonly memory: {
        /** @description By all virtual machines that are not deleted, running or not */
        readonly used: number;
        /** @description Absent if there is no limit */
        readonly limit?: number;
        /** @description What remains of the limit; absent if there is no limit */
        readonly available?: number;
        /**
         * @description Always MB of 1024 × 1024 bytes
         * @enum {string}
         */
        readonly units: 'MB';
      };
      readonly storage: {
        /** @description By all virtual machines that are not deleted, running or not */
        readonly used: number;
        /** @description Absent if there is no limit */
        readonly limit?: number;
        /** @description What remains of the limit; absent if there is no limit */
        readonly available?: number;
        /**
         * @description Always MB of 1024 × 1024 bytes
         * @enum {string}
         */
        readonly units: 'MB';
      };
      readonly vms: {
        /** @description By all virtual machines that are not deleted, running or not */
        readonly used: number;
        /** @description Absent if there is no limit */
        readonly limit?: number;
        /** @description What remains of the limit; absent if there is no limit */
        readonly available?: number;
      };
      /** @description Network cards */
      readonly nics: {
        /** @description By all virtual machines that are not deleted, running or not */
        readonly used: number;
        /** @description Absent if there is no limit */
        readonly limit?: number;
        /** @description What remains of the limit; absent if there is no limit */
        readonly available?: number;
      };
    };
    readonly Version: {
      readonly name: string;
      readonly version: string;
    };
    readonly Vm: {
      readonly id: string;
      readonly name: string;
      readonly description: string;
      readonly href: string;
      /**
       * @description UNRESOLVED until it exists in its cluster; DELETED if it was deleted in its cluster without a request, which lists show only if their filter has status==DELETED
       * @enum {unknown}
       */
      readonly status:
        | 'POWERED_ON'
        | 'POWERED_OFF'
        | 'POWERING_ON'
        | 'POWERING_OFF'
        | 'SUSPENDED'
        | 'FAILED'
        | 'UNKNOWN'
        | 'DELETING'
        | 'DELETED'
        | 'UNRESOLVED';
      /** @description The number of the closest VMware Cloud Director status */
      readonly statusCode: number;
      readonly operations: components['schemas']['PowerOperations'];
      /** @description The status is the last known one and may be out of date; staleReason says why */
      readonly stale: boolean;
      /** @description Why the status is stale; null if it is not */
      readonly staleReason: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        readonly reason: string;
        /** @description What is unknown, and since when */
        readonly message: string;
      } | null;
      readonly vapp: components['schemas']['Reference'];
      /** @description It was created outside of a vApp: its own one is in no list of vApps and is deleted with it */
      readonly standalone: boolean;
      readonly vdc: components['schemas']['Reference'];
      /** @description The user who created it; null if it was created directly in the cluster, or if that is unknown */
      readonly owner: components['schemas']['Reference'] | null;
      /** @description The requested vCPUs; if none were requested, the current ones */
      readonly cpus: number | null;
      /** @description In MB; requested or current, as for cpus */
      readonly memoryMb: number | null;
      /** @description Sets cpus and memoryMb */
      readonly instancetype?: string;
      readonly guestOs: string | null;
      readonly hostName: string | null;
      readonly ipAddresses: readonly string[];
      /** @description A change takes effect after a power-off and power-on */
      readonly restartRequired: boolean;
      /** @description Why it does not run */
      readonly fault: {
        /** @description A constant */
        readonly reason: string;
        readonly message: string;
      } | null;
      /** @description A disk is still being filled */
      readonly busy: boolean;
      readonly disks: readonly components['schemas']['Disk'][];
      /** @description The network cards that were requested; empty for a VM of a template, or one created in the cluster */
      readonly networks: readonly {
        readonly name: string;
        /** @enum {unknown} */
        readonly kind: 'pod' | 'multus';
        /** @description The NetworkAttachmentDefinition of a multus network */
        readonly networkName?: string;
      }[];
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
      /** @description The current size in the cluster; differs from the requested size while a change is pending or needs a restart */
      readonly observed: {
        readonly cpus: number | null;
        readonly memoryMb: number | null;
      };
      /** @description Its cluster and namespace; only for system administrators */
      readonly placement?: {
        readonly cluster: string;
        readonly namespace: string;
        /** @description Of the VirtualMachine */
        readonly vmName: string;
        readonly node: string | null;
      };
    };
    /**
     * @description The fields to change: name, description, cpus, memoryMb, instancetype; absent fields stay. You can send back what you read: other fields are ignored
     * @example {
     *       "cpus": 4,
     *       "memoryMb": 4096
     *     }
     */
    readonly VmChange: {
      /**
       * @description Read-only; must equal the id in the path
       * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
       */
      readonly id?: string;
      /** @description Ignored */
      readonly href?: unknown;
      /** @description Ignored */
      readonly status?: unknown;
      /** @description Ignored */
      readonly statusCode?: unknown;
      /** @description Ignored */
      readonly operations?: unknown;
      /** @description Ignored */
      readonly stale?: unknown;
      /** @description Ignored */
      readonly staleReason?: unknown;
      /** @description Ignored */
      readonly vapp?: unknown;
      /** @description Ignored */
      readonly standalone?: unknown;
      /** @description Ignored */
      readonly vdc?: unknown;
      /** @description Ignored */
      readonly owner?: unknown;
      /** @description Another instance type, for a VM that has one */
      readonly instancetype?: string;
      /** @description Ignored */
      readonly guestOs?: unknown;
      /** @description Ignored */
      readonly hostName?: unknown;
      /** @description Ignored */
      readonly ipAddresses?: unknown;
      /** @description Ignored */
      readonly restartRequired?: unknown;
      /** @description Ignored */
      readonly fault?: unknown;
      /** @description Ignored */
      readonly busy?: unknown;
      /** @description Ignored */
      readonly disks?: unknown;
      /** @description Ignored */
      readonly networks?: unknown;
      /** @description Ignored */
      readonly createdAt?: unknown;
      /** @description Ignored */
      readonly updatedAt?: unknown;
      /** @description Ignored */
      readonly observed?: unknown;
      /** @description Ignored */
      readonly placement?: unknown;
      /** @description Unique in its vApp, ignoring case; for a standalone VM, unique in the virtual data center */
      readonly name?: string;
      /** @description Free text */
      readonly description?: string;
      /** @description vCPUs; not for a VM with an instance type */
      readonly cpus?: number | null;
      /** @description In MB; not for a VM with an instance type */
      readonly memoryMb?: number | null;
      /** @description Ignored */
      readonly task?: unknown;
    };
    readonly VmExplanation: {
      /**
       * @description underway: the only thing to do is to wait
       * @enum {unknown}
       */
      readonly verdict: 'well' | 'underway' | 'wrong';
      /** @description What the status means */
      readonly summary: string;
      /** @description The most important first */
      readonly findings: readonly components['schemas']['Finding'][];
      /** @description Commands that help next */
      readonly next: readonly string[];
      readonly vm: components['schemas']['Vm'];
      readonly vapp?: components['schemas']['Vapp'];
      readonly vdc?: components['schemas']['Vdc'];
      /** @description The last tasks of the VM and of its vApp, newest first */
      readonly tasks: readonly components['schemas']['Task'][];
      /** @description Open ones; only for system administrators */
      readonly syncFailures?: readonly components['schemas']['SyncFailure'][];
    };
    readonly VmPage: {
      /** @description Of all pages */
      readonly resultTotal: number;
      readonly pageCount: number;
      /** @description From 1 on */
      readonly page: number;
      readonly pageSize: number;
      /** @description Always empty */
      readonly associations: readonly Record<string, never>[];
      readonly values: readonly components['schemas']['Vm'][];
    };
    readonly VmValidation: {
      /** @description The quotas of the virtual data center */
      readonly quotas: readonly {
        /** @description vms, cpus, memoryMb, storageMb or nics */
        readonly resource: string;
        /** @description Null if there is none */
        readonly limit: number | null;
        readonly usedBefore: number;
        readonly usedAfter: number;
      }[];
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  readonly listVdcsOfOrganization: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        readonly filter?: string;
        /** @description Sent by some clients; ignored */
        readonly filterEncoded?: string;
        /** @description The field to sort by, ascending */
        readonly sortAsc?: string;
        /** @description The field to sort by, descending */
        readonly sortDesc?: string;
      };
      readonly header?: never;
      readonly path: {
        /**
         * @description The organization
         * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly orgId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['AdminVdcPage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly createVdc: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The organization
         * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly orgId: string;
      };
      readonly cookie?: never;
    };
    /** @description A new virtual data center */
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['NewVdc'];
      };
    };
    readonly responses: {
      /** @description The virtual data center, and the task that applies the request to its cluster, if any */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVdc'];
        };
      };
      /** @description The virtual data center, and the task that applies the request to its cluster, if any */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVdc'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getVdcOfOrganization: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The organization
         * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly orgId: string;
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vdcId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A virtual data center as the provider sees it */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['AdminVdc'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly updateVdc: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The organization
         * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly orgId: string;
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vdcId: string;
      };
      readonly cookie?: never;
    };
    /** @description The fields to change; absent fields stay. You can send back what you read: status, statusText, stale, staleReason, message, createdAt, updatedAt and vdcStorageProfiles are ignored */
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['VdcChange'];
      };
    };
    readonly responses: {
      /** @description The virtual data center, and the task that applies the request to its cluster, if any */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVdc'];
        };
      };
      /** @description The virtual data center, and the task that applies the request to its cluster, if any */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVdc'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly deleteVdc: {
    readonly parameters: {
      readonly query?: {
        /** @description Even with virtual machines in it: they are destroyed with their disks */
        readonly force?: boolean;
      };
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The organization
         * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly orgId: string;
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vdcId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The virtual data center, and the task that applies the request to its cluster, if any */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVdc'];
        };
      };
      /** @description The virtual data center is deleted */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getHealth: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Liveness'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getProfile: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A user */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['User'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getVersion: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Version'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listApiVersions: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly accept?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listAuditEvents: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        readonly filter?: string;
        /** @description Sent by some clients; ignored */
        readonly filterEncoded?: string;
        /** @description The field to sort by, ascending */
        readonly sortAsc?: string;
        /** @description The field to sort by, descending */
        readonly sortDesc?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['AuditEventPage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getAuditEvent: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The audit event
         * @example urn:vcloud:auditTrail:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly eventId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['AuditEvent'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listCatalogs: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        readonly filter?: string;
        /** @description Sent by some clients; ignored */
        readonly filterEncoded?: string;
        /** @description The field to sort by, ascending */
        readonly sortAsc?: string;
        /** @description The field to sort by, descending */
        readonly sortDesc?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['CatalogPage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly createCatalog: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** @description A new catalog; its name is unique in the organization, ignoring case */
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['NewCatalog'];
      };
    };
    readonly responses: {
      /** @description Default Response */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Catalog'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getCatalog: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The catalog
         * @example urn:vcloud:catalog:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly catalogId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Catalog'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly updateCatalog: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The catalog
         * @example urn:vcloud:catalog:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly catalogId: string;
      };
      readonly cookie?: never;
    };
    /** @description The fields to change; absent fields stay */
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['CatalogChange'];
      };
    };
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Catalog'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly deleteCatalog: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The catalog
         * @example urn:vcloud:catalog:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly catalogId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listCatalogItems: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        readonly filter?: string;
        /** @description Sent by some clients; ignored */
        readonly filterEncoded?: string;
        /** @description The field to sort by, ascending */
        readonly sortAsc?: string;
        /** @description The field to sort by, descending */
        readonly sortDesc?: string;
      };
      readonly header?: never;
      readonly path: {
        /**
         * @description The catalog
         * @example urn:vcloud:catalog:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly catalogId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['CatalogItemPage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly createCatalogItem: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The catalog
         * @example urn:vcloud:catalog:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly catalogId: string;
      };
      readonly cookie?: never;
    };
    /** @description A new catalog item; its name is unique in the catalog, ignoring case */
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['NewCatalogItem'];
      };
    };
    readonly responses: {
      /** @description Default Response */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['CatalogItem'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getCatalogItem: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The catalog
         * @example urn:vcloud:catalog:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly catalogId: string;
        /**
         * @description The item
         * @example urn:vcloud:catalogitem:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly itemId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['CatalogItem'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly updateCatalogItem: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The catalog
         * @example urn:vcloud:catalog:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly catalogId: string;
        /**
         * @description The item
         * @example urn:vcloud:catalogitem:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly itemId: string;
      };
      readonly cookie?: never;
    };
    /** @description The fields to change; absent fields stay. A definition is replaced as a unit */
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['CatalogItemChange'];
      };
    };
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['CatalogItem'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly deleteCatalogItem: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The catalog
         * @example urn:vcloud:catalog:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly catalogId: string;
        /**
         * @description The item
         * @example urn:vcloud:catalogitem:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly itemId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listClusters: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        readonly filter?: string;
        /** @description Sent by some clients; ignored */
        readonly filterEncoded?: string;
        /** @description The field to sort by, ascending */
        readonly sortAsc?: string;
        /** @description The field to sort by, descending */
        readonly sortDesc?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ClusterPage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getCluster: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description Its name
         * @example east
         */
        readonly clusterName: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Cluster'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly streamEvents: {
    readonly parameters: {
      readonly query?: {
        /**
         * @description The kinds of events, separated by commas: vm, vapp, task, vdc, catalog, catalogItem, organization, user, cluster. Default: all that you may see
         * @example vm,task
         */
        readonly kinds?: string;
        /**
         * @description Only events of this virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vdc?: string;
        /**
         * @description Only events of this vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vapp?: string;
        /** @description Only events of this object and of its tasks */
        readonly entity?: string;
        /** @description false: the stream ends after all events up to now; for clients that poll */
        readonly follow?: boolean;
      };
      readonly header?: {
        /** @description The id of the last event that you received; EventSource sends it automatically */
        readonly 'last-event-id'?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The events */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'text/event-stream': string;
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listMachines: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        readonly filter?: string;
        /** @description Sent by some clients; ignored */
        readonly filterEncoded?: string;
        /** @description The field to sort by, ascending */
        readonly sortAsc?: string;
        /** @description The field to sort by, descending */
        readonly sortDesc?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['MachinePage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listOrders: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        readonly filter?: string;
        /** @description Sent by some clients; ignored */
        readonly filterEncoded?: string;
        /** @description The field to sort by, ascending */
        readonly sortAsc?: string;
        /** @description The field to sort by, descending */
        readonly sortDesc?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['OrderPage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly validateOrder: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['OrderToValidate'];
      };
    };
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['OrderValidation'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listOrganizations: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        readonly filter?: string;
        /** @description Sent by some clients; ignored */
        readonly filterEncoded?: string;
        /** @description The field to sort by, ascending */
        readonly sortAsc?: string;
        /** @description The field to sort by, descending */
        readonly sortDesc?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['OrganizationPage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly createOrganization: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['NewOrganization'];
      };
    };
    readonly responses: {
      /** @description Default Response */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Organization'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getOrganization: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The organization
         * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly orgId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Organization'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly updateOrganization: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The organization
         * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly orgId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['OrganizationChange'];
      };
    };
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Organization'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly deleteOrganization: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The organization
         * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly orgId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listRoles: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        readonly filter?: string;
        /** @description Sent by some clients; ignored */
        readonly filterEncoded?: string;
        /** @description The field to sort by, ascending */
        readonly sortAsc?: string;
        /** @description The field to sort by, descending */
        readonly sortDesc?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['RolePage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getRole: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The role
         * @example urn:vcloud:role:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly roleId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Role'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly logIn: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A session */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Session'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly logOut: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getCurrentSession: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['CurrentSession'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly deleteCurrentSession: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly logInAsProvider: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A session */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Session'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getSession: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The session
         * @example urn:vcloud:session:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly sessionId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A session */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Session'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly deleteSession: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The session
         * @example urn:vcloud:session:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly sessionId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getSummary: {
    readonly parameters: {
      readonly query?: {
        /**
         * @description Only those of this virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vdc?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Summary'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listSyncFailures: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        readonly filter?: string;
        /** @description Sent by some clients; ignored */
        readonly filterEncoded?: string;
        /** @description The field to sort by, ascending */
        readonly sortAsc?: string;
        /** @description The field to sort by, descending */
        readonly sortDesc?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['SyncFailurePage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getSyncFailure: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The sync failure
         * @example urn:vcloud:syncFailure:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly failureId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['SyncFailure'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly retrySyncFailure: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The sync failure
         * @example urn:vcloud:syncFailure:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly failureId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['SyncFailure'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listTasks: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        readonly filter?: string;
        /** @description Sent by some clients; ignored */
        readonly filterEncoded?: string;
        /** @description The field to sort by, ascending */
        readonly sortAsc?: string;
        /** @description The field to sort by, descending */
        readonly sortDesc?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TaskPage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getTask: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The task
         * @example urn:vcloud:task:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly taskId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Task'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly cancelTask: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The task
         * @example urn:vcloud:task:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly taskId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Task'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listTokens: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        readonly filter?: string;
        /** @description Sent by some clients; ignored */
        readonly filterEncoded?: string;
        /** @description The field to sort by, ascending */
        readonly sortAsc?: string;
        /** @description The field to sort by, descending */
        readonly sortDesc?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TokenPage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The API token
         * @example urn:vcloud:token:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly tokenId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description An API token */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Token'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly revokeToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The API token
         * @example urn:vcloud:token:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly tokenId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listUsers: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        readonly filter?: string;
        /** @description Sent by some clients; ignored */
        readonly filterEncoded?: string;
        /** @description The field to sort by, ascending */
        readonly sortAsc?: string;
        /** @description The field to sort by, descending */
        readonly sortDesc?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['UserPage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly createUser: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['NewUser'];
      };
    };
    readonly responses: {
      /** @description A user */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['User'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getUser: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The user
         * @example urn:vcloud:user:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly userId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A user */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['User'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly updateUser: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The user
         * @example urn:vcloud:user:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly userId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['UserChange'];
      };
    };
    readonly responses: {
      /** @description A user */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['User'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly deleteUser: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The user
         * @example urn:vcloud:user:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly userId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listVapps: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        readonly filter?: string;
        /** @description Sent by some clients; ignored */
        readonly filterEncoded?: string;
        /** @description The field to sort by, ascending */
        readonly sortAsc?: string;
        /** @description The field to sort by, descending */
        readonly sortDesc?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['VappPage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getVapp: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vappId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['VappDetail'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly updateVapp: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vappId: string;
      };
      readonly cookie?: never;
    };
    /** @description The fields to change: name, description; absent fields stay. You can send back what you read */
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['VappChange'];
      };
    };
    readonly responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description The vApp, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly deleteVapp: {
    readonly parameters: {
      readonly query?: {
        /** @description Even while VMs in it run */
        readonly force?: boolean;
      };
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vappId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description The vApp is deleted */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly powerOffVapp: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vappId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description The vApp, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly powerOnVapp: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vappId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description The vApp, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly rebootVapp: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vappId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description The vApp, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly resetVapp: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vappId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description The vApp, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly resumeVapp: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vappId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description The vApp, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly shutdownVapp: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vappId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description The vApp, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly suspendVapp: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vappId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description The vApp, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listVmsOfVapp: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        readonly filter?: string;
        /** @description Sent by some clients; ignored */
        readonly filterEncoded?: string;
        /** @description The field to sort by, ascending */
        readonly sortAsc?: string;
        /** @description The field to sort by, descending */
        readonly sortDesc?: string;
      };
      readonly header?: never;
      readonly path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vappId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['VmPage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly addVmToVapp: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vappId: string;
      };
      readonly cookie?: never;
    };
    /** @description A new virtual machine: exactly one of image, dataSource, url and blank; and either an instance type, or cpus and memoryMb */
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['NewVm'];
      };
    };
    readonly responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listVdcs: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        readonly filter?: string;
        /** @description Sent by some clients; ignored */
        readonly filterEncoded?: string;
        /** @description The field to sort by, ascending */
        readonly sortAsc?: string;
        /** @description The field to sort by, descending */
        readonly sortDesc?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['VdcPage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getVdc: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vdcId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A share of a cluster for an organization, with limits for its virtual machines */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Vdc'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly instantiateTemplate: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vdcId: string;
      };
      readonly cookie?: never;
    };
    /** @description A vApp to create from a catalog item. For boot images and items of the catalog itself you can describe the VM; for templates, which describe their own VMs, those fields are rejected */
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['Instantiation'];
      };
    };
    readonly responses: {
      /** @description The vApp, the task that creates its VMs, and the values that were generated for its parameters */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['InstantiatedVapp'];
        };
      };
      /** @description The vApp, the task that creates its VMs, and the values that were generated for its parameters */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['InstantiatedVapp'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly validateVm: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vdcId: string;
      };
      readonly cookie?: never;
    };
    /** @description A new virtual machine: exactly one of image, dataSource, url and blank; and either an instance type, or cpus and memoryMb */
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['NewVm'];
      };
    };
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['VmValidation'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listInstanceTypes: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
      };
      readonly header?: never;
      readonly path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vdcId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['InstanceTypePage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listPreferences: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
      };
      readonly header?: never;
      readonly path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vdcId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['PreferencePage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getVdcUsage: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vdcId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The usage of a virtual data center */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['VdcUsage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listVappsOfVdc: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        readonly filter?: string;
        /** @description Sent by some clients; ignored */
        readonly filterEncoded?: string;
        /** @description The field to sort by, ascending */
        readonly sortAsc?: string;
        /** @description The field to sort by, descending */
        readonly sortDesc?: string;
      };
      readonly header?: never;
      readonly path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vdcId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['VappPage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly createVapp: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vdcId: string;
      };
      readonly cookie?: never;
    };
    /** @description A vApp without VMs; add them afterwards */
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['NewVapp'];
      };
    };
    readonly responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listVmsOfVdc: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        readonly filter?: string;
        /** @description Sent by some clients; ignored */
        readonly filterEncoded?: string;
        /** @description The field to sort by, ascending */
        readonly sortAsc?: string;
        /** @description The field to sort by, descending */
        readonly sortDesc?: string;
      };
      readonly header?: never;
      readonly path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vdcId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['VmPage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly createVm: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vdcId: string;
      };
      readonly cookie?: never;
    };
    /** @description A new virtual machine: exactly one of image, dataSource, url and blank; and either an instance type, or cpus and memoryMb */
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['NewVm'];
      };
    };
    readonly responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listVms: {
    readonly parameters: {
      readonly query?: {
        /** @description From 1 on */
        readonly page?: number;
        readonly pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        readonly filter?: string;
        /** @description Sent by some clients; ignored */
        readonly filterEncoded?: string;
        /** @description The field to sort by, ascending */
        readonly sortAsc?: string;
        /** @description The field to sort by, descending */
        readonly sortDesc?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['VmPage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getVm: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vmId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Vm'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly updateVm: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vmId: string;
      };
      readonly cookie?: never;
    };
    /** @description The fields to change: name, description, cpus, memoryMb, instancetype; absent fields stay. You can send back what you read: other fields are ignored */
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['VmChange'];
      };
    };
    readonly responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly deleteVm: {
    readonly parameters: {
      readonly query?: {
        /** @description Even while it runs: the guest stops as in a power failure */
        readonly force?: boolean;
      };
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vmId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM is deleted */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly powerOffVm: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vmId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly powerOnVm: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vmId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly rebootVm: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vmId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly resetVm: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vmId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly resumeVm: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vmId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly shutdownVm: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vmId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly suspendVm: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vmId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly createConsoleTicket: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vmId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['NewConsoleTicket'] | null;
      };
    };
    readonly responses: {
      /** @description Default Response */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ConsoleTicket'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listDisks: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vmId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['DiskPage'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly addDisk: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vmId: string;
      };
      readonly cookie?: never;
    };
    /** @description An empty disk; exactly one of sizeGb and sizeMb */
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['NewDisk'];
      };
    };
    readonly responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly removeDisk: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        readonly prefer?: string;
      };
      readonly path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vmId: string;
        /** @description Its name */
        readonly disk: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly explainVm: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        readonly vmId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['VmExplanation'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getControllerHealth: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ControllerHealth'];
        };
      };
      /** @description Default Response */
      readonly 503: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ControllerHealth'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getLiveness: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Liveness'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly registerProviderToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['TokenRegistration'];
      };
    };
    readonly responses: {
      /** @description A token that has not been handed out yet */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['RegisteredToken'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly exchangeProviderToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/x-www-form-urlencoded': components['schemas']['TokenGrant'];
      };
    };
    readonly responses: {
      /** @description A session */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TokenResponse'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly registerToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description The name of the organization */
        readonly org: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['TokenRegistration'];
      };
    };
    readonly responses: {
      /** @description A token that has not been handed out yet */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['RegisteredToken'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly exchangeToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description The name of the organization */
        readonly org: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/x-www-form-urlencoded': components['schemas']['TokenGrant'];
      };
    };
    readonly responses: {
      /** @description A session */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TokenResponse'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly getReadiness: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Readiness'];
        };
      };
      /** @description Default Response */
      readonly 503: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Readiness'];
        };
      };
      /** @description Why the request failed */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
}
