/** Written by `make docs` from docs/openapi.json, whose SHA-256 is 292e445e4f9417618f792707959b70011d0cd39acd91ba541a7efc5bee4ccfdc. */

export interface paths {
  '/api/admin/org/{orgId}/vdcs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the virtual data centers of an organization
     * @description Roles: System Administrator.
     */
    get: operations['listVdcsOfOrganization'];
    put?: never;
    /**
     * Create a virtual data center
     * @description The virtual data center is recorded at once. The task in the response and in Location creates it in its cluster (a namespace with quota, limits and isolation); while the cluster is unavailable, the task says what it waits for. With Prefer: wait=N the response is 201 if that is done within N seconds. Roles: System Administrator.
     */
    post: operations['createVdc'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/admin/org/{orgId}/vdcs/{vdcId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a virtual data center of an organization, with its cluster and namespace
     * @description Roles: System Administrator.
     */
    get: operations['getVdcOfOrganization'];
    /**
     * Change a virtual data center
     * @description Absent fields stay; 0, false and "" are values. A limit below current usage is rejected. If nothing differs, the response is 200 without a task. Roles: System Administrator.
     */
    put: operations['updateVdc'];
    post?: never;
    /**
     * Delete a virtual data center
     * @description Deletes its namespace with everything in it. Rejected while it contains virtual machines, unless forced. A repeated request during the deletion returns the same task. With Prefer: wait=N the response is 204 if it is gone within N seconds. Roles: System Administrator.
     */
    delete: operations['deleteVdc'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/health': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Whether the process is alive */
    get: operations['getHealth'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/user/profile': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the current user
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['getProfile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/version': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the version of the server */
    get: operations['getVersion'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/versions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the versions of the API, in XML or in JSON */
    get: operations['listApiVersions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/auditTrail': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List audit events, newest first
     * @description Roles: System Administrator, Organization Administrator.
     */
    get: operations['listAuditEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/auditTrail/{eventId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an audit event
     * @description Roles: System Administrator, Organization Administrator.
     */
    get: operations['getAuditEvent'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/catalogs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the catalogs of your organization and the published catalogs of others
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['listCatalogs'];
    put?: never;
    /**
     * Create a catalog
     * @description Roles: System Administrator, Organization Administrator, vApp Author.
     */
    post: operations['createCatalog'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/catalogs/{catalogId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a catalog
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['getCatalog'];
    /**
     * Change a catalog
     * @description Roles: System Administrator, Organization Administrator, vApp Author.
     */
    put: operations['updateCatalog'];
    post?: never;
    /**
     * Delete a catalog that has no items of its own
     * @description Roles: System Administrator, Organization Administrator, vApp Author.
     */
    delete: operations['deleteCatalog'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/catalogs/{catalogId}/catalogItems': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the items of a catalog
     * @description The items of the catalog itself and, if it includes them, the templates and boot images of the clusters, in one order. unavailable names what cannot be read at the moment. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['listCatalogItems'];
    put?: never;
    /**
     * Create an item in a catalog
     * @description Roles: System Administrator, Organization Administrator, vApp Author.
     */
    post: operations['createCatalogItem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/catalogs/{catalogId}/catalogItems/{itemId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a catalog item
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['getCatalogItem'];
    /**
     * Change an item of the catalog itself
     * @description Roles: System Administrator, Organization Administrator, vApp Author.
     */
    put: operations['updateCatalogItem'];
    post?: never;
    /**
     * Delete an item of the catalog itself
     * @description Roles: System Administrator, Organization Administrator, vApp Author.
     */
    delete: operations['deleteCatalogItem'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/clusters': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the clusters of the fleet
     * @description Roles: System Administrator.
     */
    get: operations['listClusters'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Stream changes
     * @description A stream of server-sent events. The first event is "ready". Each change that you may see follows as an event named by its kind (vm, vapp, task …), with the URN of the object; a VM event also has the status and whether it was stale then, a task event the status and progress. A vdc event with stale says that the status of everything in the virtual data center has become stale, or current again. With Last-Event-ID the stream resumes after that event, on any replica. "reset" means that events were missed: reload all data. The stream ends with your session. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['streamEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/orders/validate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Check the template and the parameters of an order before it is placed
     * @description Reports all problems at once. An invalid order is answered with 200, too. Nothing is stored. A request has at most 256 KiB, and parameters that are an object are nested at most 32 levels deep. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    post: operations['validateOrder'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/orgs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the organizations; tenants see only their own
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['listOrganizations'];
    put?: never;
    /**
     * Create an organization
     * @description Roles: System Administrator.
     */
    post: operations['createOrganization'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/orgs/{orgId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an organization
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['getOrganization'];
    /**
     * Change an organization; absent fields stay
     * @description Roles: System Administrator.
     */
    put: operations['updateOrganization'];
    post?: never;
    /**
     * Delete an organization that has no virtual data centers, users or catalogs
     * @description Roles: System Administrator.
     */
    delete: operations['deleteOrganization'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/roles': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the roles
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['listRoles'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/roles/{roleId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a role
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['getRole'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Log in to an organization
     * @description The user name is user@organization. The response header X-VMWARE-VCLOUD-ACCESS-TOKEN has the token of the session.
     */
    post: operations['logIn'];
    /**
     * Log out
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    delete: operations['logOut'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/sessions/current': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the current session
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['getCurrentSession'];
    put?: never;
    post?: never;
    /**
     * Log out
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    delete: operations['deleteCurrentSession'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/sessions/provider': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Log in as the provider
     * @description The user name is user@organization. The response header X-VMWARE-VCLOUD-ACCESS-TOKEN has the token of the session.
     */
    post: operations['logInAsProvider'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/sessions/{sessionId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get one of your sessions
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['getSession'];
    put?: never;
    post?: never;
    /**
     * End one of your sessions
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    delete: operations['deleteSession'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/summary': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Count the virtual machines and vApps by status
     * @description Counts what the lists of virtual machines and vApps show without a filter: not the vApps of standalone VMs, and no VMs that are DELETED. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['getSummary'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/syncFailures': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the VMs whose state could not be written
     * @description Roles: System Administrator.
     */
    get: operations['listSyncFailures'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/syncFailures/{failureId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a sync failure
     * @description Roles: System Administrator.
     */
    get: operations['getSyncFailure'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/syncFailures/{failureId}/actions/retry': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Try now to write the state of the VM
     * @description Use it when the cause is fixed: the vm-controller then does not wait for the end of its pause, which is up to five minutes. Read the sync failure again: resolvedAt is set when the state was written; otherwise attempts and lastFailedAt grow. 409 if it is resolved already. Roles: System Administrator.
     */
    post: operations['retrySyncFailure'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/tasks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List tasks, newest first
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['listTasks'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/tasks/{taskId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a task
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['getTask'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/tasks/{taskId}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel a task
     * @description You can cancel the creation of a virtual data center that is not ready yet, of a VM or of a vApp: what was created is deleted again. You can also cancel a power change: the task ends, and the desired power state stays as it is. Other tasks end by themselves: 409. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    post: operations['cancelTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/tokens': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List your API tokens; administrators list those of their organization
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['listTokens'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/tokens/{tokenId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an API token, without its secret
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['getToken'];
    put?: never;
    post?: never;
    /**
     * Revoke an API token, and end its sessions
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    delete: operations['revokeToken'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the users
     * @description Roles: System Administrator, Organization Administrator.
     */
    get: operations['listUsers'];
    put?: never;
    /**
     * Create a user
     * @description Roles: System Administrator, Organization Administrator.
     */
    post: operations['createUser'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/users/{userId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a user
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['getUser'];
    /**
     * Change a user; absent fields stay
     * @description Administrators change the users of their organization. Other users can change their own fullName, email, description and password. A new password ends the other sessions of the user and, like enabled=false, revokes the API tokens. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    put: operations['updateUser'];
    post?: never;
    /**
     * Delete a user
     * @description Roles: System Administrator, Organization Administrator.
     */
    delete: operations['deleteUser'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vapps': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the vApps
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['listVapps'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vapps/{vappId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a vApp with its VMs
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['getVapp'];
    /**
     * Rename a vApp, or change its description
     * @description The task in the response applies a new name to the VMs in the cluster; if there is nothing to apply, the response is 200 without a task. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    put: operations['updateVapp'];
    post?: never;
    /**
     * Delete a vApp with its VMs and their disks
     * @description Rejected while VMs in it run or their status is not current, unless forced. A repeated request during the deletion returns the same task. The name is free again when the task has ended. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    delete: operations['deleteVapp'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vapps/{vappId}/actions/powerOff': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Power off, without shutting the guest down (all VMs of a vApp)
     * @description Requested of each VM that permits it now; rejected if none does. The details of the task name the VMs that were skipped. The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    post: operations['powerOffVapp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vapps/{vappId}/actions/powerOn': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Power on (all VMs of a vApp)
     * @description Requested of each VM that permits it now; rejected if none does. The details of the task name the VMs that were skipped. The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    post: operations['powerOnVapp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vapps/{vappId}/actions/reboot': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Reboot the guest (all VMs of a vApp)
     * @description Requested of each VM that permits it now; rejected if none does. The details of the task name the VMs that were skipped. The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    post: operations['rebootVapp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vapps/{vappId}/actions/reset': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Reset the VM: the guest restarts at once (all VMs of a vApp)
     * @description Requested of each VM that permits it now; rejected if none does. The details of the task name the VMs that were skipped. The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    post: operations['resetVapp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vapps/{vappId}/actions/resume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Resume a suspended VM (all VMs of a vApp)
     * @description Requested of each VM that permits it now; rejected if none does. The details of the task name the VMs that were skipped. The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    post: operations['resumeVapp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vapps/{vappId}/actions/shutdown': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Shut down the guest, then power off (all VMs of a vApp)
     * @description Requested of each VM that permits it now; rejected if none does. The details of the task name the VMs that were skipped. The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    post: operations['shutdownVapp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vapps/{vappId}/actions/suspend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Suspend: pause the guest, keeping its memory on its node (all VMs of a vApp)
     * @description Requested of each VM that permits it now; rejected if none does. The details of the task name the VMs that were skipped. The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    post: operations['suspendVapp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vapps/{vappId}/vms': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the VMs of a vApp
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['listVmsOfVapp'];
    put?: never;
    /**
     * Add a VM to a vApp
     * @description The task in the response and in Location creates it in the cluster. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    post: operations['addVmToVapp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vdcs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the virtual data centers of your organization
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['listVdcs'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vdcs/{vdcId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a virtual data center
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['getVdc'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vdcs/{vdcId}/actions/instantiateTemplate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Instantiate a catalog item: create a vApp with its VMs
     * @description Everything is checked before anything is created: whether the item is offered here, the values of its parameters, the names of its VMs and the limits of the virtual data center. The vApp then exists, and the task in the response and in Location creates its VMs. If the cluster rejects them, everything is rolled back and the task says why. Sizes that cannot be known in advance are named in the details of the task; they count against the limits as soon as they are known. With Prefer: wait=N the response is 201 if that is done within N seconds. generatedParameters of this response, be it 201 or 202, has the values that were generated for parameters; no later response shows them. If the response is lost, delete the vApp and instantiate again. 503 if the cluster is unavailable. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    post: operations['instantiateTemplate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vdcs/{vdcId}/actions/validateVm': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Check whether a standalone virtual machine could be created, without creating it
     * @description Refuses the request with the status and the message with which the creation would refuse it now. Otherwise the response has the quotas of the virtual data center before and after the creation. What only the cluster knows, such as whether an image exists, shows when the VM is created. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    post: operations['validateVm'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vdcs/{vdcId}/instanceTypes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the instance types for VMs of a virtual data center
     * @description Sorted by name. An instance type sets CPUs and memory, instead of cpus and memoryMb. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['listInstanceTypes'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vdcs/{vdcId}/preferences': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the preferences for VMs of a virtual data center
     * @description Sorted by name. A preference fits the virtual hardware to an operating system. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['listPreferences'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vdcs/{vdcId}/usage': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the usage of a virtual data center and its remaining capacity
     * @description Virtual machines count until they are deleted, whether or not they run: with the requested size or, if none was requested, with the size in the cluster. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['getVdcUsage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vdcs/{vdcId}/vapps': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the vApps of a virtual data center
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['listVappsOfVdc'];
    put?: never;
    /**
     * Create an empty vApp
     * @description An empty vApp needs nothing in a cluster, so it exists at once, without a task. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    post: operations['createVapp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vdcs/{vdcId}/vms': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the virtual machines of a virtual data center
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['listVmsOfVdc'];
    put?: never;
    /**
     * Create a standalone virtual machine
     * @description The VM is recorded at once. The task in the response and in Location creates it in its cluster and ends when the cluster has accepted it; the status of the VM then follows as it boots. If the cluster rejects the VM, everything is rolled back, and the task ends with the reason. With Prefer: wait=N the response is 201 if the VM is created within N seconds. 503 if the cluster is unavailable. Snapshots are not supported yet. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    post: operations['createVm'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vms': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the virtual machines of your organization
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['listVms'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vms/{vmId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a virtual machine
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['getVm'];
    /**
     * Change name, description, CPUs, memory or instance type of a virtual machine
     * @description Absent fields stay; if nothing differs, the response is 200 without a task. CPUs and memory of a running VM change at once if the cluster supports it; otherwise restartRequired is true. While the cluster is unavailable, the change is recorded, and its task says what it waits for. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    put: operations['updateVm'];
    post?: never;
    /**
     * Delete a virtual machine with its disks
     * @description Rejected while it runs or its status is not current, unless forced. A repeated request during the deletion returns the same task. With Prefer: wait=N the response is 204 if the VM is gone within N seconds. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    delete: operations['deleteVm'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vms/{vmId}/actions/powerOff': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Power off, without shutting the guest down (virtual machine)
     * @description The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    post: operations['powerOffVm'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vms/{vmId}/actions/powerOn': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Power on (virtual machine)
     * @description The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    post: operations['powerOnVm'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vms/{vmId}/actions/reboot': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Reboot the guest (virtual machine)
     * @description The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    post: operations['rebootVm'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vms/{vmId}/actions/reset': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Reset the VM: the guest restarts at once (virtual machine)
     * @description The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    post: operations['resetVm'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vms/{vmId}/actions/resume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Resume a suspended VM (virtual machine)
     * @description The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    post: operations['resumeVm'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vms/{vmId}/actions/shutdown': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Shut down the guest, then power off (virtual machine)
     * @description The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    post: operations['shutdownVm'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vms/{vmId}/actions/suspend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Suspend: pause the guest, keeping its memory on its node (virtual machine)
     * @description The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    post: operations['suspendVm'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vms/{vmId}/consoleTicket': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Get a ticket for the console of a virtual machine
     * @description The ticket opens the console once, as a web page or as a WebSocket, within the time that it states. Anyone who holds the ticket can use it. The console ends with the session. Only a VM that is POWERED_ON or SUSPENDED has a console. Roles: System Administrator, Organization Administrator, vApp Author, vApp User.
     */
    post: operations['createConsoleTicket'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vms/{vmId}/disks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the disks of a virtual machine, on one page
     * @description Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    get: operations['listDisks'];
    put?: never;
    /**
     * Add an empty disk to a virtual machine, running or not
     * @description Roles: System Administrator, Organization Administrator, vApp Author.
     */
    post: operations['addDisk'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cloudapi/1.0.0/vms/{vmId}/disks/{disk}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Remove a disk from a virtual machine, with its data
     * @description The boot disk cannot be removed. A disk that was created with the VM can be removed only while the VM is off; a disk that was added later can be removed at any time. Roles: System Administrator, Organization Administrator, vApp Author.
     */
    delete: operations['removeDisk'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/health/controller': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Whether a vm-controller is running anywhere */
    get: operations['getControllerHealth'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/healthz': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Whether the process is alive */
    get: operations['getLiveness'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/oauth/provider/register': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Register an API token by name, to fetch it with a second request
     * @description Needs a session that a password opened less than five minutes ago. Roles: System Administrator.
     */
    post: operations['registerProviderToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/oauth/provider/token': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Fetch a registered API token, or exchange one for a session */
    post: operations['exchangeProviderToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/oauth/tenant/{org}/register': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Register an API token by name, to fetch it with a second request
     * @description Needs a session that a password opened less than five minutes ago. Roles: System Administrator, Organization Administrator, vApp Author, vApp User, Read-only.
     */
    post: operations['registerToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/oauth/tenant/{org}/token': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Fetch a registered API token, or exchange one for a session */
    post: operations['exchangeToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/readyz': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Whether the server can serve requests: 503 only without the database; unreachable clusters are counted */
    get: operations['getReadiness'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description A virtual data center as the provider sees it */
    AdminVdc: {
      /** @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11 */
      id: string;
      /**
       * @description Unique in the organization, ignoring case. No control characters, and no leading or trailing space. A new name does not rename the namespace.
       * @example production
       */
      name: string;
      /** @description Free text */
      description: string;
      /**
       * @description The allocation model in the terms of VMware Cloud Director. It is stored and shown, but all models enforce the same: the limits.
       * @enum {unknown}
       */
      allocationModel: 'PayAsYouGo' | 'AllocationPool' | 'ReservationPool' | 'Flex';
      /** @description The MHz that one vCPU counts for; default: 1000. Converts limits in MHz to limits in vCPUs */
      vCpuInMhz: number;
      /** @description For all disks together, in MB; 0 means no limit */
      storageLimitMb: number;
      /** @description The number of virtual machines, running or not; 0 means no limit */
      vmQuota: number;
      /** @description The number of network cards of all virtual machines, running or not; default: 100; 0 means no limit */
      nicQuota: number;
      /** @description The number of networks; default: 50; 0 means no limit. Not enforced, because there are no networks yet */
      networkQuota: number;
      /** @description Disks allocate their space as they fill; default: false */
      isThinProvision: boolean;
      /** @description If false, nothing can be created, instantiated or powered on; running VMs keep running. Default: true */
      isEnabled: boolean;
      computeCapacity: {
        cpu: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          allocated: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          limit: number;
          /**
           * @description Always MHz
           * @enum {string}
           */
          units: 'MHz';
          /** @description The limit in whole vCPUs: limit divided by vCpuInMhz, rounded down; 0 means no limit. Read-only */
          cores: number;
        };
        memory: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          allocated: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          limit: number;
          /**
           * @description Always MB of 1024 × 1024 bytes
           * @enum {string}
           */
          units: 'MB';
        };
      };
      /** @description Always empty: storage is limited by storageLimitMb */
      vdcStorageProfiles: Record<string, never>;
      org: components['schemas']['Reference'];
      /** @description 1 ready, 0 not ready, -1 creation failed */
      status: number;
      /** @description READY, NOT_READY, FAILED_CREATION; or DELETING, for which VMware Cloud Director has no number (0) */
      statusText: string;
      /** @description The status is the last known one and may be out of date; staleReason says why */
      stale: boolean;
      /** @description Why the status is stale; null if it is not */
      staleReason: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        reason: string;
        /** @description What is unknown, and since when */
        message: string;
      } | null;
      /** @description What it waits for, or why it does not match the request; otherwise empty */
      message: string;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /**
       * @description The member of the fleet that it is on (the provider VDC of VMware Cloud Director); default: the default cluster. Cannot be changed later
       * @example local
       */
      cluster: string;
      /** @description Its namespace in the cluster, derived from the names and the id at creation. Cannot be changed */
      namespace: string;
    };
    AdminVdcPage: {
      /** @description Of all pages */
      resultTotal: number;
      pageCount: number;
      /** @description From 1 on */
      page: number;
      pageSize: number;
      /** @description Always empty */
      associations: Record<string, never>[];
      values: components['schemas']['AdminVdc'][];
    };
    AuditEvent: {
      id: string;
      /** @description The URN without its prefix */
      eventId: string;
      /** Format: date-time */
      timestamp: string;
      /** @description The operation, as in the access matrix */
      action: string;
      /** @description success, refused or failed */
      outcome: string;
      user: components['schemas']['Reference'] | null;
      org: components['schemas']['Reference'] | null;
      entity: components['schemas']['Reference'] | null;
      requestId: string;
      clientAddress: string;
      details: {
        [key: string]: unknown;
      };
    };
    AuditEventPage: {
      /** @description Of all pages */
      resultTotal: number;
      pageCount: number;
      /** @description From 1 on */
      page: number;
      pageSize: number;
      /** @description Always empty */
      associations: Record<string, never>[];
      values: components['schemas']['AuditEvent'][];
    };
    Catalog: {
      id: string;
      name: string;
      description: string;
      org: components['schemas']['Reference'];
      owner: components['schemas']['Reference'];
      isPublished: boolean;
      isSubscribed: boolean;
      isLocal: boolean;
      /** @description The items include templates and boot images of the clusters. Default: true */
      includesTemplates: boolean;
      /** Format: date-time */
      creationDate: string;
      /** @description The items of the catalog itself and, if it includes them, those that the clusters offer */
      numberOfVAppTemplates: number;
      numberOfMedia: number;
      catalogStorageProfiles: Record<string, never>[];
      publishConfig: {
        isPublished: boolean;
      };
      subscriptionConfig: {
        isSubscribed: boolean;
      };
      distributedCatalogConfig: Record<string, never>;
      /** @description Increases with every change of the catalog or of its own items */
      version: number;
    };
    /**
     * @description The fields to change; absent fields stay
     * @example {
     *       "description": "Images of the web team",
     *       "isPublished": true
     *     }
     */
    CatalogChange: {
      /** @description No control characters, and no leading or trailing space */
      name?: string;
      /** @description Free text */
      description?: string;
      /** @description All organizations can see it. Requires an organization that may publish (canPublish), or a system administrator */
      isPublished?: boolean;
      /** @description The items include templates and boot images of the clusters. Default: true */
      includesTemplates?: boolean;
    };
    CatalogItem: {
      id: string;
      name: string;
      displayName: string;
      description: string;
      catalogId: string;
      catalog: components['schemas']['Reference'];
      owner: components['schemas']['Reference'];
      isPublished: boolean;
      isExpired: boolean;
      /** @description Its publisher has deprecated it */
      isDeprecated: boolean;
      /** Format: date-time */
      creationDate?: string;
      /** @description The size of its disks in bytes; absent if unknown */
      size?: number;
      /** @enum {unknown} */
      status: 'AVAILABLE' | 'UNAVAILABLE';
      /** @description Why it cannot be used now; empty if it can */
      statusMessage: string;
      /** @description The cluster object that it represents; database for an item of the catalog itself */
      source: {
        /** @enum {unknown} */
        kind: 'Template' | 'VirtualMachineTemplate' | 'DataSource' | 'database';
        namespace?: string;
        name?: string;
      };
      /** @description The clusters that offer it; empty for an item of the catalog itself */
      offers: {
        cluster: string;
        available: boolean;
        message: string;
      }[];
      entity: {
        name: string;
        description: string;
        type: string;
        numberOfVMs: number;
        numberOfCpus?: number;
        /** @description Memory in bytes; absent if unknown */
        memoryAllocation?: number;
        /** @description Disks in bytes; absent if unknown */
        storageAllocation?: number;
      };
      guestOs?: string;
      instancetype?: string;
      preference?: string;
      parameters: {
        name: string;
        displayName: string;
        description: string;
        /** @description Absent if there is no default, or if it is a secret */
        default?: string;
        /** @description The parameter has a default, whether or not it is shown */
        hasDefault: boolean;
        required: boolean;
        /** @description The expression that a missing value is generated from */
        generatedFrom?: string;
      }[];
      /** @description What a VM is created from: exactly one of image, dataSource and url; and either an instance type, or cpus and memoryMb */
      definition?: {
        /**
         * @description A container disk, without a scheme
         * @example containerdisks/fedora:42
         */
        image?: string;
        /** @description A boot image that a cluster offers */
        dataSource?: {
          namespace: string;
          name: string;
        };
        /** @description An image that is downloaded over HTTP; requires diskSizeGb; must not contain credentials */
        url?: string;
        /** @description An instance type of the cluster, instead of cpus and memoryMb */
        instancetype?: string;
        /** @description A preference of the cluster */
        preference?: string;
        cpus?: number;
        /** @description In MiB (1024 × 1024 bytes) */
        memoryMb?: number;
        /** @description In GiB (1024 × 1024 × 1024 bytes) */
        diskSizeGb?: number;
        guestOs?: string;
        /** @description The default for the guest when the request gives none. Refer to parameter values as ${NAME}. Pass secrets only as parameters: everyone who sees the catalog can read the rest */
        cloudInit?: {
          userData?: string;
          networkData?: string;
        };
        parameters?: {
          /** @description Letters, digits and _ */
          name: string;
          displayName?: string;
          description?: string;
          /** @description The value to use when none is given; must not be a secret */
          default?: string;
          required?: boolean;
          /**
           * @description The expression that a missing value is generated from, in the syntax of OpenShift templates
           * @example web-[a-z0-9]{5}
           */
          generatedFrom?: string;
        }[];
      };
    };
    /**
     * @description The fields to change; absent fields stay. A definition is replaced as a unit
     * @example {
     *       "description": "Fedora 42 with the web team’s settings"
     *     }
     */
    CatalogItemChange: {
      /** @description No control characters, and no leading or trailing space */
      name?: string;
      /** @description Free text */
      description?: string;
      /** @description What a VM is created from: exactly one of image, dataSource and url; and either an instance type, or cpus and memoryMb */
      definition?: {
        /**
         * @description A container disk, without a scheme
         * @example containerdisks/fedora:42
         */
        image?: string;
        /** @description A boot image that a cluster offers */
        dataSource?: {
          namespace: string;
          name: string;
        };
        /** @description An image that is downloaded over HTTP; requires diskSizeGb; must not contain credentials */
        url?: string;
        /** @description An instance type of the cluster, instead of cpus and memoryMb */
        instancetype?: string;
        /** @description A preference of the cluster */
        preference?: string;
        cpus?: number;
        /** @description In MiB (1024 × 1024 bytes) */
        memoryMb?: number;
        /** @description In GiB (1024 × 1024 × 1024 bytes) */
        diskSizeGb?: number;
        guestOs?: string;
        /** @description The default for the guest when the request gives none. Refer to parameter values as ${NAME}. Pass secrets only as parameters: everyone who sees the catalog can read the rest */
        cloudInit?: {
          userData?: string;
          networkData?: string;
        };
        parameters?: {
          /** @description Letters, digits and _ */
          name: string;
          displayName?: string;
          description?: string;
          /** @description The value to use when none is given; must not be a secret */
          default?: string;
          required?: boolean;
          /**
           * @description The expression that a missing value is generated from, in the syntax of OpenShift templates
           * @example web-[a-z0-9]{5}
           */
          generatedFrom?: string;
        }[];
      };
    };
    CatalogItemPage: {
      /** @description Of all pages */
      resultTotal: number;
      pageCount: number;
      /** @description From 1 on */
      page: number;
      pageSize: number;
      /** @description Always empty */
      associations: Record<string, never>[];
      values: components['schemas']['CatalogItem'][];
      /** @description Clusters whose templates and images are unknown or may be out of date */
      unavailable: {
        cluster: string;
        message: string;
      }[];
    };
    CatalogPage: {
      /** @description Of all pages */
      resultTotal: number;
      pageCount: number;
      /** @description From 1 on */
      page: number;
      pageSize: number;
      /** @description Always empty */
      associations: Record<string, never>[];
      values: components['schemas']['Catalog'][];
    };
    /** @description The vApp, and the task that applies the request to its cluster */
    ChangedVapp: {
      id: string;
      name: string;
      description: string;
      href: string;
      /** @description The status of its VMs if all are equal, otherwise MIXED; RESOLVED if it has none, UNRESOLVED while it is being created, DELETING while it is being deleted */
      status: string;
      /** @description The number of the closest VMware Cloud Director status */
      statusCode: number;
      /** @description The status is the last known one and may be out of date; staleReason says why */
      stale: boolean;
      /** @description Why the status is stale; null if it is not */
      staleReason: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        reason: string;
        /** @description What is unknown, and since when */
        message: string;
      } | null;
      vdc: components['schemas']['Reference'];
      /** @description The user who created it; null if that is unknown */
      owner: components['schemas']['Reference'] | null;
      numberOfVMs: number;
      /** @description Why the template could not be instantiated */
      fault: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      task?: components['schemas']['Task'];
    };
    /** @description The virtual data center, and the task that applies the request to its cluster, if any */
    ChangedVdc: {
      /** @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11 */
      id: string;
      /**
       * @description Unique in the organization, ignoring case. No control characters, and no leading or trailing space. A new name does not rename the namespace.
       * @example production
       */
      name: string;
      /** @description Free text */
      description: string;
      /**
       * @description The allocation model in the terms of VMware Cloud Director. It is stored and shown, but all models enforce the same: the limits.
       * @enum {unknown}
       */
      allocationModel: 'PayAsYouGo' | 'AllocationPool' | 'ReservationPool' | 'Flex';
      /** @description The MHz that one vCPU counts for; default: 1000. Converts limits in MHz to limits in vCPUs */
      vCpuInMhz: number;
      /** @description For all disks together, in MB; 0 means no limit */
      storageLimitMb: number;
      /** @description The number of virtual machines, running or not; 0 means no limit */
      vmQuota: number;
      /** @description The number of network cards of all virtual machines, running or not; default: 100; 0 means no limit */
      nicQuota: number;
      /** @description The number of networks; default: 50; 0 means no limit. Not enforced, because there are no networks yet */
      networkQuota: number;
      /** @description Disks allocate their space as they fill; default: false */
      isThinProvision: boolean;
      /** @description If false, nothing can be created, instantiated or powered on; running VMs keep running. Default: true */
      isEnabled: boolean;
      computeCapacity: {
        cpu: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          allocated: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          limit: number;
          /**
           * @description Always MHz
           * @enum {string}
           */
          units: 'MHz';
          /** @description The limit in whole vCPUs: limit divided by vCpuInMhz, rounded down; 0 means no limit. Read-only */
          cores: number;
        };
        memory: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          allocated: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          limit: number;
          /**
           * @description Always MB of 1024 × 1024 bytes
           * @enum {string}
           */
          units: 'MB';
        };
      };
      /** @description Always empty: storage is limited by storageLimitMb */
      vdcStorageProfiles: Record<string, never>;
      org: components['schemas']['Reference'];
      /** @description 1 ready, 0 not ready, -1 creation failed */
      status: number;
      /** @description READY, NOT_READY, FAILED_CREATION; or DELETING, for which VMware Cloud Director has no number (0) */
      statusText: string;
      /** @description The status is the last known one and may be out of date; staleReason says why */
      stale: boolean;
      /** @description Why the status is stale; null if it is not */
      staleReason: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        reason: string;
        /** @description What is unknown, and since when */
        message: string;
      } | null;
      /** @description What it waits for, or why it does not match the request; otherwise empty */
      message: string;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /**
       * @description The member of the fleet that it is on (the provider VDC of VMware Cloud Director); default: the default cluster. Cannot be changed later
       * @example local
       */
      cluster: string;
      /** @description Its namespace in the cluster, derived from the names and the id at creation. Cannot be changed */
      namespace: string;
      task?: components['schemas']['Task'];
    };
    /** @description The VM, and the task that applies the request to its cluster */
    ChangedVm: {
      id: string;
      name: string;
      description: string;
      href: string;
      /** @description POWERED_ON, POWERED_OFF, POWERING_ON, POWERING_OFF, SUSPENDED, FAILED, UNKNOWN, DELETING; UNRESOLVED until it exists in its cluster; DELETED if it was deleted in its cluster without a request, which lists show only if their filter has status==DELETED */
      status: string;
      /** @description The number of the closest VMware Cloud Director status */
      statusCode: number;
      operations: components['schemas']['PowerOperations'];
      /** @description The status is the last known one and may be out of date; staleReason says why */
      stale: boolean;
      /** @description Why the status is stale; null if it is not */
      staleReason: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        reason: string;
        /** @description What is unknown, and since when */
        message: string;
      } | null;
      vapp: components['schemas']['Reference'];
      vdc: components['schemas']['Reference'];
      /** @description The user who created it; null if it was created directly in the cluster, or if that is unknown */
      owner: components['schemas']['Reference'] | null;
      /** @description The requested vCPUs; if none were requested, the current ones */
      cpus: number | null;
      /** @description In MB; requested or current, as for cpus */
      memoryMb: number | null;
      /** @description Sets cpus and memoryMb */
      instancetype?: string;
      guestOs: string | null;
      hostName: string | null;
      ipAddresses: string[];
      /** @description A change takes effect after a power-off and power-on */
      restartRequired: boolean;
      /** @description Why it does not run */
      fault: {
        /** @description A constant */
        reason: string;
        message: string;
      } | null;
      /** @description A disk is still being filled */
      busy: boolean;
      disks: components['schemas']['Disk'][];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /** @description The current size in the cluster; differs from the requested size while a change is pending or needs a restart */
      observed: {
        cpus: number | null;
        memoryMb: number | null;
      };
      /** @description Its cluster and namespace; only for system administrators */
      placement?: {
        cluster: string;
        namespace: string;
        /** @description Of the VirtualMachine */
        vmName: string;
        node: string | null;
      };
      task?: components['schemas']['Task'];
    };
    Cluster: {
      name: string;
      /** @description Whether the API server can reach it now */
      isAvailable: boolean;
      /** @description Whether the vm-controller can reach it now: it answers, and its watches deliver; null if the vm-controller has not tried yet */
      isFollowed: boolean | null;
      /** @description What is wrong, and which process reports it */
      message: string;
      /** @description The state of the VMs shown for it: synced, stale or frozen; null before the first report */
      state: string | null;
      /**
       * Format: date-time
       * @description When the vm-controller last reached it
       */
      lastContactAt: string | null;
      /** Format: date-time */
      stateSince: string | null;
      /** Format: date-time */
      syncedAt: string | null;
      vdcCount: number;
    };
    ClusterPage: {
      /** @description Of all pages */
      resultTotal: number;
      pageCount: number;
      /** @description From 1 on */
      page: number;
      pageSize: number;
      /** @description Always empty */
      associations: Record<string, never>[];
      values: components['schemas']['Cluster'][];
    };
    ConsoleTicket: {
      /** @description Whoever holds it may open the console once */
      ticket: string;
      /** @description The serial console, or the screen with keyboard and mouse */
      kind: 'serial' | 'vnc';
      /** Format: date-time */
      expiresAt: string;
      /** @description The console as a web page */
      url: string;
      /** @description The WebSocket, with binary frames; the subprotocol is plain.kubevirt.io or binary */
      streamUrl: string;
    };
    ControllerHealth: {
      status: 'healthy' | 'unhealthy';
      controller: 'running' | 'not_running';
    };
    CurrentSession: {
      id: string;
      site: components['schemas']['Reference'];
      user: components['schemas']['Reference'];
      org: components['schemas']['Reference'];
      operatingOrg: components['schemas']['Reference'];
      /** @description The organization and the site, as <uuid>@<uuid> */
      location: string;
      roles: string[];
      roleRefs: components['schemas']['Reference'][];
      sessionIdleTimeoutMinutes: number;
      /** @description The ids of the operations of this document that your roles permit, sorted */
      operations: string[];
    };
    Disk: {
      name: string;
      /** @description In MB of 1024 × 1024 bytes; null if unknown, as for a container disk */
      sizeMb: number | null;
      /** @description The boot disk of the VM */
      boot: boolean;
    };
    DiskPage: {
      /** @description Of all pages */
      resultTotal: number;
      pageCount: number;
      /** @description From 1 on */
      page: number;
      pageSize: number;
      /** @description Always empty */
      associations: Record<string, never>[];
      values: components['schemas']['Disk'][];
    };
    /** @description Why a request failed */
    Error: {
      minorErrorCode: string;
      message: string;
      stackTrace: null;
    };
    InstanceType: {
      name: string;
      displayName?: string;
      cpus: number;
      /** @description In MiB */
      memoryMb: number;
    };
    InstanceTypePage: {
      /** @description Of all pages */
      resultTotal: number;
      pageCount: number;
      /** @description From 1 on */
      page: number;
      pageSize: number;
      /** @description Always empty */
      associations: Record<string, never>[];
      values: components['schemas']['InstanceType'][];
      /** @description False if the cluster has not been read yet or may not be read; the list may then be incomplete */
      isComplete: boolean;
    };
    /** @description The vApp, the task that creates its VMs, and the values that were generated for its parameters */
    InstantiatedVapp: {
      id: string;
      name: string;
      description: string;
      href: string;
      /** @description The status of its VMs if all are equal, otherwise MIXED; RESOLVED if it has none, UNRESOLVED while it is being created, DELETING while it is being deleted */
      status: string;
      /** @description The number of the closest VMware Cloud Director status */
      statusCode: number;
      /** @description The status is the last known one and may be out of date; staleReason says why */
      stale: boolean;
      /** @description Why the status is stale; null if it is not */
      staleReason: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        reason: string;
        /** @description What is unknown, and since when */
        message: string;
      } | null;
      vdc: components['schemas']['Reference'];
      /** @description The user who created it; null if that is unknown */
      owner: components['schemas']['Reference'] | null;
      numberOfVMs: number;
      /** @description Why the template could not be instantiated */
      fault: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      task?: components['schemas']['Task'];
      /**
       * @description The values that were generated for parameters without a value in the request, by name; absent if there are none. Shown only in this response
       * @example {
       *       "PASSWORD": "f3kq9zr1x0ab"
       *     }
       */
      generatedParameters?: {
        [key: string]: string;
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
    Instantiation: {
      /** @description Unique in the virtual data center, ignoring case */
      name: string;
      /** @description Free text */
      description?: string;
      catalogItem?: {
        /**
         * @description As listed in the catalog
         * @example urn:vcloud:catalogitem:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        id: string;
        /** @description Ignored: the id decides */
        name?: string;
      };
      /**
       * @description Instead of catalogItem
       * @example urn:vcloud:catalogitem:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
       */
      catalogItemId?: string;
      /**
       * @description Values of the parameters of the item, by name, each a string. They are never shown again
       * @example {
       *       "NAME": "web"
       *     }
       */
      parameters?: {
        [key: string]: unknown;
      };
      /** @description Start the VMs after they are created. Default: true */
      powerOn?: boolean;
      /** @description vCPUs */
      cpus?: number;
      /** @description In MiB (1024 × 1024 bytes) */
      memoryMb?: number;
      /** @description An instance type, instead of cpus and memoryMb */
      instancetype?: string;
      /** @description A preference, which selects devices for the guest */
      preference?: string;
      /** @description The size of the boot disk in GiB (1024 × 1024 × 1024 bytes). Not with image, which has a fixed size */
      diskSizeGb?: number;
      /** @description Default: the network of the virtual data center */
      networks?: {
        /**
         * @description Unique in the VM
         * @example default
         */
        name: string;
        /**
         * @description pod: the network of the virtual data center; multus: another network, named by networkName
         * @enum {unknown}
         */
        kind: 'pod' | 'multus';
        /** @description For a multus network: a NetworkAttachmentDefinition in the virtual data center */
        networkName?: string;
      }[];
      /** @description At most 64 KiB each. It is never shown again */
      cloudInit?: {
        /** @description For example a #cloud-config document */
        userData?: string;
        /** @description The network configuration in the cloud-init format */
        networkData?: string;
      };
      /** @description Public keys that may log in; the image must read them from cloud-init */
      sshKeys?: string[];
    };
    Liveness: {
      /** @enum {string} */
      status: 'ok';
      version: string;
      /** Format: date-time */
      timestamp: string;
    };
    /**
     * @description A new catalog; its name is unique in the organization, ignoring case
     * @example {
     *       "name": "web-images",
     *       "description": "Images of the web team"
     *     }
     */
    NewCatalog: {
      /** @description No control characters, and no leading or trailing space */
      name: string;
      /**
       * @description The organization; default: your own
       * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
       */
      orgId?: string;
      /** @description Free text */
      description?: string;
      /** @description All organizations can see it. Requires an organization that may publish (canPublish), or a system administrator */
      isPublished?: boolean;
      /** @description The items include templates and boot images of the clusters. Default: true */
      includesTemplates?: boolean;
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
    NewCatalogItem: {
      /** @description No control characters, and no leading or trailing space */
      name: string;
      /** @description Free text */
      description?: string;
      /** @description What a VM is created from: exactly one of image, dataSource and url; and either an instance type, or cpus and memoryMb */
      definition: {
        /**
         * @description A container disk, without a scheme
         * @example containerdisks/fedora:42
         */
        image?: string;
        /** @description A boot image that a cluster offers */
        dataSource?: {
          namespace: string;
          name: string;
        };
        /** @description An image that is downloaded over HTTP; requires diskSizeGb; must not contain credentials */
        url?: string;
        /** @description An instance type of the cluster, instead of cpus and memoryMb */
        instancetype?: string;
        /** @description A preference of the cluster */
        preference?: string;
        cpus?: number;
        /** @description In MiB (1024 × 1024 bytes) */
        memoryMb?: number;
        /** @description In GiB (1024 × 1024 × 1024 bytes) */
        diskSizeGb?: number;
        guestOs?: string;
        /** @description The default for the guest when the request gives none. Refer to parameter values as ${NAME}. Pass secrets only as parameters: everyone who sees the catalog can read the rest */
        cloudInit?: {
          userData?: string;
          networkData?: string;
        };
        parameters?: {
          /** @description Letters, digits and _ */
          name: string;
          displayName?: string;
          description?: string;
          /** @description The value to use when none is given; must not be a secret */
          default?: string;
          required?: boolean;
          /**
           * @description The expression that a missing value is generated from, in the syntax of OpenShift templates
           * @example web-[a-z0-9]{5}
           */
          generatedFrom?: string;
        }[];
      };
    };
    /**
     * @example {
     *       "kind": "serial"
     *     }
     */
    NewConsoleTicket: {
      /** @description The serial console, or the screen with keyboard and mouse */
      kind?: 'serial' | 'vnc';
    };
    /**
     * @description An empty disk; exactly one of sizeGb and sizeMb
     * @example {
     *       "name": "data",
     *       "sizeGb": 20
     *     }
     */
    NewDisk: {
      /**
       * @description Unique in the VM; lower-case letters, digits and dashes
       * @example data
       */
      name: string;
      /** @description In GiB (1024 × 1024 × 1024 bytes) */
      sizeGb?: number;
      /** @description In MB, instead of sizeGb */
      sizeMb?: number;
      /** @description A storage class of the virtual data center; "default", or leaving it out, selects its default class. Unknown classes are rejected */
      storageClass?: string;
    };
    /**
     * @example {
     *       "name": "acme",
     *       "displayName": "Acme Corporation",
     *       "isEnabled": true
     *     }
     */
    NewOrganization: {
      /** @description 1 to 128 letters, digits, "-", "_", "." and spaces, with no leading or trailing space; the part after the last @ at log-in */
      name: string;
      displayName?: string;
      description?: string;
      /** @description If false, users of the organization cannot log in, and their sessions end at once */
      isEnabled?: boolean;
      canManageOrgs?: boolean;
      /** @description Whether its catalogs can be published to other organizations */
      canPublish?: boolean;
      /** @description Read-only; ignored */
      id?: unknown;
      /** @description Read-only; ignored */
      managedBy?: unknown;
      /** @description Read-only; ignored */
      orgVdcCount?: unknown;
      /** @description Read-only; ignored */
      catalogCount?: unknown;
      /** @description Read-only; ignored */
      vappCount?: unknown;
      /** @description Read-only; ignored */
      runningVMCount?: unknown;
      /** @description Read-only; ignored */
      userCount?: unknown;
      /** @description Read-only; ignored */
      diskCount?: unknown;
      /** @description Read-only; ignored */
      directlyManagedOrgCount?: unknown;
      /**
       * @description Must be empty: names are not masked
       * @enum {string}
       */
      maskedEventTaskUsername?: '';
      /** @description Read-only; ignored */
      createdAt?: unknown;
      /** @description Read-only; ignored */
      updatedAt?: unknown;
    };
    /**
     * @example {
     *       "username": "alice",
     *       "fullName": "Alice Adams",
     *       "password": "correct-horse-battery-staple",
     *       "organizationId": "urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11"
     *     }
     */
    NewUser: {
      /** @description No spaces, colons or invisible characters; unique in the organization, ignoring case, and not to be mistaken for another name in it, as "1da" for "lda" */
      username: string;
      fullName?: string;
      description?: string;
      /** @description An email address, or empty */
      email?: string;
      /** @description Never shown; must not contain the user name, and not repeat a few characters */
      password?: string;
      /** @description How many VMs of the user may be powered on; 0: no limit */
      deployedVmQuota?: number;
      /** @description How many VMs the user may own, running or not; 0: no limit */
      storedVmQuota?: number;
      /** @description If false, the user cannot log in, has no sessions, and loses the API tokens */
      enabled?: boolean;
      /** @enum {string} */
      providerType?: 'LOCAL';
      /**
       * @description Default: your own organization
       * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
       */
      organizationId?: string;
      /** @description All roles of the user; roles that are not listed are revoked */
      roleEntityRefs?: {
        /**
         * @description The role
         * @example urn:vcloud:role:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        id: string;
        name?: string;
      }[];
    };
    /**
     * @description A vApp without VMs; add them afterwards
     * @example {
     *       "name": "shop",
     *       "description": "The web shop"
     *     }
     */
    NewVapp: {
      /** @description Unique in the virtual data center, ignoring case */
      name: string;
      /** @description Free text */
      description?: string;
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
    NewVdc: {
      /**
       * @description Unique in the organization, ignoring case. No control characters, and no leading or trailing space. A new name does not rename the namespace.
       * @example production
       */
      name: string;
      /** @description Free text */
      description?: string;
      /**
       * @description The allocation model in the terms of VMware Cloud Director. It is stored and shown, but all models enforce the same: the limits.
       * @enum {unknown}
       */
      allocationModel?: 'PayAsYouGo' | 'AllocationPool' | 'ReservationPool' | 'Flex';
      /** @description The MHz that one vCPU counts for; default: 1000. Converts limits in MHz to limits in vCPUs */
      vCpuInMhz?: number;
      /** @description For all disks together, in MB; 0 means no limit */
      storageLimitMb?: number;
      /** @description The number of virtual machines, running or not; 0 means no limit */
      vmQuota?: number;
      /** @description The number of network cards of all virtual machines, running or not; default: 100; 0 means no limit */
      nicQuota?: number;
      /** @description The number of networks; default: 50; 0 means no limit. Not enforced, because there are no networks yet */
      networkQuota?: number;
      /** @description Disks allocate their space as they fill; default: false */
      isThinProvision?: boolean;
      /** @description If false, nothing can be created, instantiated or powered on; running VMs keep running. Default: true */
      isEnabled?: boolean;
      /**
       * @description The member of the fleet that it is on (the provider VDC of VMware Cloud Director); default: the default cluster. Cannot be changed later
       * @example local
       */
      cluster?: string;
      /** @description CPU and memory; no limits if absent */
      computeCapacity?: {
        /** @description In MHz */
        cpu?: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          allocated?: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          limit?: number;
          /**
           * @description Always MHz
           * @enum {string}
           */
          units?: 'MHz';
        };
        /** @description In MB */
        memory?: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          allocated?: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          limit?: number;
          /**
           * @description Always MB of 1024 × 1024 bytes
           * @enum {string}
           */
          units?: 'MB';
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
    NewVm: {
      /** @description Unique in its vApp, ignoring case; for a standalone VM, unique in the virtual data center */
      name: string;
      /** @description Free text */
      description?: string;
      /**
       * @description Boots from a container disk, without a scheme. Writes to it are lost when the VM stops
       * @example containerdisks/fedora:42
       */
      image?: string;
      /** @description Boots from a copy of a boot image of the catalogs */
      dataSource?: {
        namespace: string;
        name: string;
      };
      /** @description Boots from an image that is downloaded over HTTP; requires diskSizeGb; must not contain credentials */
      url?: string;
      /**
       * @description Boots from an empty disk; requires diskSizeGb
       * @enum {boolean}
       */
      blank?: true;
      /** @description vCPUs */
      cpus?: number;
      /** @description In MiB (1024 × 1024 bytes) */
      memoryMb?: number;
      /** @description An instance type, instead of cpus and memoryMb */
      instancetype?: string;
      /** @description A preference, which selects devices for the guest */
      preference?: string;
      /** @description The size of the boot disk in GiB (1024 × 1024 × 1024 bytes). Not with image, which has a fixed size */
      diskSizeGb?: number;
      /** @description In addition to the boot disk */
      disks?: components['schemas']['NewDisk'][];
      /** @description Default: the network of the virtual data center */
      networks?: {
        /**
         * @description Unique in the VM
         * @example default
         */
        name: string;
        /**
         * @description pod: the network of the virtual data center; multus: another network, named by networkName
         * @enum {unknown}
         */
        kind: 'pod' | 'multus';
        /** @description For a multus network: a NetworkAttachmentDefinition in the virtual data center */
        networkName?: string;
      }[];
      /** @description At most 64 KiB each. It is never shown again */
      cloudInit?: {
        /** @description For example a #cloud-config document */
        userData?: string;
        /** @description The network configuration in the cloud-init format */
        networkData?: string;
      };
      /** @description Public keys that may log in; the image must read them from cloud-init */
      sshKeys?: string[];
      /** @description Start the VM after it is created. Default: true */
      powerOn?: boolean;
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
    OrderToValidate: {
      /** @example osac.templates.ocp_virt_vm */
      templateID: string;
      /**
       * @description An object, or the same as JSON text, as in an order; leave it out for the defaults
       * @example {
       *       "cpu_cores": 2,
       *       "memory": "4Gi"
       *     }
       */
      templateParameters?:
        | {
            [key: string]: unknown;
          }
        | string;
    };
    OrderValidation: {
      /** @description The order has no problem that can be found without its cluster */
      valid: boolean;
      problems: {
        /** @description The parameter; or templateID; or templateParameters if the whole text is meant */
        field: string;
        /** @description The value in a form that is safe to show: of user data and keys only the length */
        value: string;
        /** @description What the value must be */
        rule: string;
        /** @description The problem in one sentence, with the remedy */
        message: string;
      }[];
      warnings: string[];
      /** @description The parameters of the order with defaults filled in; absent for templates that are not built in, since only a cluster knows their parameters */
      parameters?: {
        cpu_cores: number;
        memory: string;
        disk_size: string;
        /** @description With its scheme */
        image_source: string;
        exposed_ports: string;
        /** @description Its length */
        cloud_init_config: string;
        /** @description Its length; absent if there is none */
        ssh_public_key?: string;
      };
    };
    Organization: {
      /** @description 1 to 128 letters, digits, "-", "_", "." and spaces, with no leading or trailing space; the part after the last @ at log-in */
      name: string;
      displayName: string;
      description: string;
      /** @description If false, users of the organization cannot log in, and their sessions end at once */
      isEnabled: boolean;
      canManageOrgs: boolean;
      /** @description Whether its catalogs can be published to other organizations */
      canPublish: boolean;
      id: string;
      managedBy: components['schemas']['Reference'];
      orgVdcCount: number;
      catalogCount: number;
      vappCount: number;
      runningVMCount: number;
      userCount: number;
      diskCount: number;
      directlyManagedOrgCount: number;
      /** @description Always empty: names are not masked */
      maskedEventTaskUsername: string;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
    };
    /**
     * @example {
     *       "displayName": "Acme Incorporated"
     *     }
     */
    OrganizationChange: {
      /** @description 1 to 128 letters, digits, "-", "_", "." and spaces, with no leading or trailing space; the part after the last @ at log-in */
      name?: string;
      displayName?: string;
      description?: string;
      /** @description If false, users of the organization cannot log in, and their sessions end at once */
      isEnabled?: boolean;
      canManageOrgs?: boolean;
      /** @description Whether its catalogs can be published to other organizations */
      canPublish?: boolean;
      /** @description Read-only; ignored */
      id?: unknown;
      /** @description Read-only; ignored */
      managedBy?: unknown;
      /** @description Read-only; ignored */
      orgVdcCount?: unknown;
      /** @description Read-only; ignored */
      catalogCount?: unknown;
      /** @description Read-only; ignored */
      vappCount?: unknown;
      /** @description Read-only; ignored */
      runningVMCount?: unknown;
      /** @description Read-only; ignored */
      userCount?: unknown;
      /** @description Read-only; ignored */
      diskCount?: unknown;
      /** @description Read-only; ignored */
      directlyManagedOrgCount?: unknown;
      /**
       * @description Must be empty: names are not masked
       * @enum {string}
       */
      maskedEventTaskUsername?: '';
      /** @description Read-only; ignored */
      createdAt?: unknown;
      /** @description Read-only; ignored */
      updatedAt?: unknown;
    };
    OrganizationPage: {
      /** @description Of all pages */
      resultTotal: number;
      pageCount: number;
      /** @description From 1 on */
      page: number;
      pageSize: number;
      /** @description Always empty */
      associations: Record<string, never>[];
      values: components['schemas']['Organization'][];
    };
    /** @description Whether the current status permits each power operation; your roles are in the current session */
    PowerOperations: {
      powerOn: {
        allowed: boolean;
        /** @description Why not, and what to do; absent if it is allowed */
        reason?: string;
      };
      powerOff: {
        allowed: boolean;
        /** @description Why not, and what to do; absent if it is allowed */
        reason?: string;
      };
      shutdown: {
        allowed: boolean;
        /** @description Why not, and what to do; absent if it is allowed */
        reason?: string;
      };
      reset: {
        allowed: boolean;
        /** @description Why not, and what to do; absent if it is allowed */
        reason?: string;
      };
      reboot: {
        allowed: boolean;
        /** @description Why not, and what to do; absent if it is allowed */
        reason?: string;
      };
      suspend: {
        allowed: boolean;
        /** @description Why not, and what to do; absent if it is allowed */
        reason?: string;
      };
      resume: {
        allowed: boolean;
        /** @description Why not, and what to do; absent if it is allowed */
        reason?: string;
      };
    };
    Preference: {
      name: string;
      displayName?: string;
    };
    PreferencePage: {
      /** @description Of all pages */
      resultTotal: number;
      pageCount: number;
      /** @description From 1 on */
      page: number;
      pageSize: number;
      /** @description Always empty */
      associations: Record<string, never>[];
      values: components['schemas']['Preference'][];
      /** @description False if the cluster has not been read yet or may not be read; the list may then be incomplete */
      isComplete: boolean;
    };
    Readiness: {
      ready: boolean;
      /** @description What the server waits for before it can serve requests */
      message?: string;
      /** Format: date-time */
      timestamp: string;
      services: {
        database: 'ready' | 'unavailable';
        /** @description How many clusters are in each state; a provider reads their names from /cloudapi/1.0.0/clusters. unavailable: this server cannot reach it. stale: this server can, but the vm-controller cannot or is not running. unknown: this server can, but the vm-controller has never reached it, or the database did not answer in time */
        clusters: {
          ready: number;
          unavailable: number;
          stale: number;
          unknown: number;
        };
      };
      /** @description How many clusters are not ready */
      degraded: number;
    };
    Reference: {
      name: string;
      id: string;
    };
    /** @description A token that has not been handed out yet */
    RegisteredToken: {
      /** @description The uuid to fetch the token with */
      client_id: string;
      client_name: string;
      grant_types: string[];
      token_endpoint_auth_method: string;
      /**
       * Format: date-time
       * @description Null if the token is valid until it is revoked
       */
      expires_at: string | null;
    };
    Role: {
      id: string;
      name: string;
      description: string;
      bundleKey: string;
      readOnly: boolean;
    };
    RolePage: {
      /** @description Of all pages */
      resultTotal: number;
      pageCount: number;
      /** @description From 1 on */
      page: number;
      pageSize: number;
      /** @description Always empty */
      associations: Record<string, never>[];
      values: components['schemas']['Role'][];
    };
    /** @description A session */
    Session: {
      id: string;
      site: components['schemas']['Reference'];
      user: components['schemas']['Reference'];
      org: components['schemas']['Reference'];
      operatingOrg: components['schemas']['Reference'];
      /** @description The organization and the site, as <uuid>@<uuid> */
      location: string;
      roles: string[];
      roleRefs: components['schemas']['Reference'][];
      sessionIdleTimeoutMinutes: number;
    };
    StatusCounts: {
      total: number;
      /** @description Those whose status is not current */
      stale: number;
      /** @description The number for each status that occurs, stale ones included */
      byStatus: {
        [key: string]: number;
      };
    };
    Summary: {
      vms: components['schemas']['StatusCounts'];
      vapps: components['schemas']['StatusCounts'];
    };
    SyncFailure: {
      id: string;
      cluster: string;
      namespace: string;
      /** @description Of the VirtualMachine in the cluster */
      vmName: string;
      vm: components['schemas']['Reference'] | null;
      errorType: string;
      message: string;
      attempts: number;
      /** Format: date-time */
      firstFailedAt: string;
      /** Format: date-time */
      lastFailedAt: string;
      /** Format: date-time */
      resolvedAt: string | null;
    };
    SyncFailurePage: {
      /** @description Of all pages */
      resultTotal: number;
      pageCount: number;
      /** @description From 1 on */
      page: number;
      pageSize: number;
      /** @description Always empty */
      associations: Record<string, never>[];
      values: components['schemas']['SyncFailure'][];
    };
    Task: {
      id: string;
      /** @description The URL of the task */
      href: string;
      type: string;
      name: string;
      /** @description The operation as text */
      operation: string;
      /** @description The operation as a constant */
      operationName: string;
      /** @description queued, preRunning, running, success, error, canceled or aborted */
      status: string;
      /** @description In percent */
      progress: number;
      step: string;
      /** @description What a task waits for, or why its last attempt failed */
      message: string;
      /** Format: date-time */
      startTime: string;
      /** Format: date-time */
      endTime: string | null;
      owner: components['schemas']['Reference'];
      user: components['schemas']['Reference'] | null;
      org: components['schemas']['Reference'];
      /** @description Why a request failed */
      error: components['schemas']['Error'] | null;
      details: {
        [key: string]: unknown;
      };
    };
    TaskPage: {
      /** @description Of all pages */
      resultTotal: number;
      pageCount: number;
      /** @description From 1 on */
      page: number;
      pageSize: number;
      /** @description Always empty */
      associations: Record<string, never>[];
      values: components['schemas']['Task'][];
    };
    /** @description An API token */
    Token: {
      id: string;
      name: string;
      /** @description Shown once, when it is handed out */
      token: null;
      owner: components['schemas']['Reference'];
      org: components['schemas']['Reference'];
      /** @enum {string} */
      type: 'REFRESH';
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      lastUsedAt: string | null;
      /** Format: date-time */
      expirationDate: string | null;
    };
    /**
     * @example {
     *       "grant_type": "refresh_token",
     *       "refresh_token": "THE-API-TOKEN"
     *     }
     */
    TokenGrant: {
      /** @description refresh_token, or urn:ietf:params:oauth:grant-type:jwt-bearer */
      grant_type: string;
      /** @description The API token; with refresh_token */
      refresh_token?: string;
      /** @description The token of a session; with jwt-bearer */
      assertion?: string;
      /** @description As registered; with jwt-bearer */
      client_id?: string;
    };
    TokenPage: {
      /** @description Of all pages */
      resultTotal: number;
      pageCount: number;
      /** @description From 1 on */
      page: number;
      pageSize: number;
      /** @description Always empty */
      associations: Record<string, never>[];
      values: components['schemas']['Token'][];
    };
    /**
     * @example {
     *       "client_name": "terraform"
     *     }
     */
    TokenRegistration: {
      /** @description What the token is for; unique among your tokens */
      client_name: string;
      /** @description The lifetime of the token in seconds. Default: the longest that the server allows, or no end if it sets none */
      expires_in?: number;
    };
    /** @description A session */
    TokenResponse: {
      /** @description The token of a session */
      access_token: string;
      /** @enum {string} */
      token_type: 'Bearer';
      /** @description In seconds */
      expires_in: number;
      /** @description The API token; shown only once */
      refresh_token: string | null;
    };
    /** @description A user */
    User: {
      id: string;
      /** @description No spaces, colons or invisible characters; unique in the organization, ignoring case, and not to be mistaken for another name in it, as "1da" for "lda" */
      username: string;
      fullName: string;
      description: string;
      /** @description An email address, or empty */
      email: string;
      /** @description How many VMs of the user may be powered on; 0: no limit */
      deployedVmQuota: number;
      /** @description How many VMs the user may own, running or not; 0: no limit */
      storedVmQuota: number;
      /** @description If false, the user cannot log in, has no sessions, and loses the API tokens */
      enabled: boolean;
      locked: boolean;
      nameInSource: string;
      isGroupRole: boolean;
      stranded: boolean;
      /** @enum {string} */
      providerType: 'LOCAL';
      organizationId: string;
      organizationName: string;
      roleEntityRefs: components['schemas']['Reference'][];
      orgEntityRef: components['schemas']['Reference'];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
    };
    /**
     * @example {
     *       "email": "alice@acme.example"
     *     }
     */
    UserChange: {
      /** @description No spaces, colons or invisible characters; unique in the organization, ignoring case, and not to be mistaken for another name in it, as "1da" for "lda" */
      username?: string;
      fullName?: string;
      description?: string;
      /** @description An email address, or empty */
      email?: string;
      /** @description Never shown; must not contain the user name, and not repeat a few characters */
      password?: string;
      /** @description How many VMs of the user may be powered on; 0: no limit */
      deployedVmQuota?: number;
      /** @description How many VMs the user may own, running or not; 0: no limit */
      storedVmQuota?: number;
      /** @description If false, the user cannot log in, has no sessions, and loses the API tokens */
      enabled?: boolean;
      /** @enum {string} */
      providerType?: 'LOCAL';
      /**
       * @description Must be the current organization; users cannot move
       * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
       */
      organizationId?: string;
      /** @description All roles of the user; roles that are not listed are revoked */
      roleEntityRefs?: {
        /**
         * @description The role
         * @example urn:vcloud:role:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        id: string;
        name?: string;
      }[];
      /** @description Required to change your own password */
      currentPassword?: string;
      /** @description With a new password: true keeps the API tokens of the user. Default: false */
      keepApiTokens?: boolean;
      locked?: boolean;
      /** @description Read-only; ignored */
      id?: unknown;
      /** @description Read-only; ignored */
      nameInSource?: unknown;
      /** @description Read-only; ignored */
      isGroupRole?: unknown;
      /** @description Read-only; ignored */
      stranded?: unknown;
      /** @description Read-only; ignored */
      organizationName?: unknown;
      /** @description Read-only; ignored */
      orgEntityRef?: unknown;
      /** @description Read-only; ignored */
      createdAt?: unknown;
      /** @description Read-only; ignored */
      updatedAt?: unknown;
    };
    UserPage: {
      /** @description Of all pages */
      resultTotal: number;
      pageCount: number;
      /** @description From 1 on */
      page: number;
      pageSize: number;
      /** @description Always empty */
      associations: Record<string, never>[];
      values: components['schemas']['User'][];
    };
    Vapp: {
      id: string;
      name: string;
      description: string;
      href: string;
      /** @description The status of its VMs if all are equal, otherwise MIXED; RESOLVED if it has none, UNRESOLVED while it is being created, DELETING while it is being deleted */
      status: string;
      /** @description The number of the closest VMware Cloud Director status */
      statusCode: number;
      /** @description The status is the last known one and may be out of date; staleReason says why */
      stale: boolean;
      /** @description Why the status is stale; null if it is not */
      staleReason: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        reason: string;
        /** @description What is unknown, and since when */
        message: string;
      } | null;
      vdc: components['schemas']['Reference'];
      /** @description The user who created it; null if that is unknown */
      owner: components['schemas']['Reference'] | null;
      numberOfVMs: number;
      /** @description Why the template could not be instantiated */
      fault: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
    };
    /**
     * @description The fields to change: name, description; absent fields stay. You can send back what you read
     * @example {
     *       "description": "The web shop, with its database"
     *     }
     */
    VappChange: {
      /**
       * @description Read-only; must equal the id in the path
       * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
       */
      id?: string;
      /** @description Ignored */
      href?: unknown;
      /** @description Ignored */
      status?: unknown;
      /** @description Ignored */
      statusCode?: unknown;
      /** @description Ignored */
      stale?: unknown;
      /** @description Ignored */
      staleReason?: unknown;
      /** @description Ignored */
      vdc?: unknown;
      /** @description Ignored */
      owner?: unknown;
      /** @description Ignored */
      numberOfVMs?: unknown;
      /** @description Ignored */
      fault?: unknown;
      /** @description Ignored */
      createdAt?: unknown;
      /** @description Ignored */
      updatedAt?: unknown;
      /** @description Ignored */
      vms?: unknown;
      /** @description Ignored */
      operations?: unknown;
      /** @description Ignored */
      task?: unknown;
      /** @description Unique in the virtual data center, ignoring case */
      name?: string;
      /** @description Free text */
      description?: string;
    };
    VappDetail: {
      id: string;
      name: string;
      description: string;
      href: string;
      /** @description The status of its VMs if all are equal, otherwise MIXED; RESOLVED if it has none, UNRESOLVED while it is being created, DELETING while it is being deleted */
      status: string;
      /** @description The number of the closest VMware Cloud Director status */
      statusCode: number;
      /** @description The status is the last known one and may be out of date; staleReason says why */
      stale: boolean;
      /** @description Why the status is stale; null if it is not */
      staleReason: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        reason: string;
        /** @description What is unknown, and since when */
        message: string;
      } | null;
      vdc: components['schemas']['Reference'];
      /** @description The user who created it; null if that is unknown */
      owner: components['schemas']['Reference'] | null;
      numberOfVMs: number;
      /** @description Why the template could not be instantiated */
      fault: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      operations: components['schemas']['PowerOperations'];
      /** @description Sorted by name */
      vms: {
        id: string;
        name: string;
        href: string;
        status: string;
        statusCode: number;
        stale: boolean;
      }[];
    };
    VappPage: {
      /** @description Of all pages */
      resultTotal: number;
      pageCount: number;
      /** @description From 1 on */
      page: number;
      pageSize: number;
      /** @description Always empty */
      associations: Record<string, never>[];
      values: components['schemas']['Vapp'][];
    };
    /** @description A share of a cluster for an organization, with limits for its virtual machines */
    Vdc: {
      /** @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11 */
      id: string;
      /**
       * @description Unique in the organization, ignoring case. No control characters, and no leading or trailing space. A new name does not rename the namespace.
       * @example production
       */
      name: string;
      /** @description Free text */
      description: string;
      /**
       * @description The allocation model in the terms of VMware Cloud Director. It is stored and shown, but all models enforce the same: the limits.
       * @enum {unknown}
       */
      allocationModel: 'PayAsYouGo' | 'AllocationPool' | 'ReservationPool' | 'Flex';
      /** @description The MHz that one vCPU counts for; default: 1000. Converts limits in MHz to limits in vCPUs */
      vCpuInMhz: number;
      /** @description For all disks together, in MB; 0 means no limit */
      storageLimitMb: number;
      /** @description The number of virtual machines, running or not; 0 means no limit */
      vmQuota: number;
      /** @description The number of network cards of all virtual machines, running or not; default: 100; 0 means no limit */
      nicQuota: number;
      /** @description The number of networks; default: 50; 0 means no limit. Not enforced, because there are no networks yet */
      networkQuota: number;
      /** @description Disks allocate their space as they fill; default: false */
      isThinProvision: boolean;
      /** @description If false, nothing can be created, instantiated or powered on; running VMs keep running. Default: true */
      isEnabled: boolean;
      computeCapacity: {
        cpu: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          allocated: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          limit: number;
          /**
           * @description Always MHz
           * @enum {string}
           */
          units: 'MHz';
          /** @description The limit in whole vCPUs: limit divided by vCpuInMhz, rounded down; 0 means no limit. Read-only */
          cores: number;
        };
        memory: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          allocated: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          limit: number;
          /**
           * @description Always MB of 1024 × 1024 bytes
           * @enum {string}
           */
          units: 'MB';
        };
      };
      /** @description Always empty: storage is limited by storageLimitMb */
      vdcStorageProfiles: Record<string, never>;
      org: components['schemas']['Reference'];
      /** @description 1 ready, 0 not ready, -1 creation failed */
      status: number;
      /** @description READY, NOT_READY, FAILED_CREATION; or DELETING, for which VMware Cloud Director has no number (0) */
      statusText: string;
      /** @description The status is the last known one and may be out of date; staleReason says why */
      stale: boolean;
      /** @description Why the status is stale; null if it is not */
      staleReason: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        reason: string;
        /** @description What is unknown, and since when */
        message: string;
      } | null;
      /** @description What it waits for, or why it does not match the request; otherwise empty */
      message: string;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
    };
    /**
     * @description The fields to change; absent fields stay. You can send back what you read: status, statusText, stale, staleReason, message, createdAt, updatedAt and vdcStorageProfiles are ignored
     * @example {
     *       "vmQuota": 100
     *     }
     */
    VdcChange: {
      /**
       * @description Unique in the organization, ignoring case. No control characters, and no leading or trailing space. A new name does not rename the namespace.
       * @example production
       */
      name?: string;
      /** @description Free text */
      description?: string;
      /**
       * @description The allocation model in the terms of VMware Cloud Director. It is stored and shown, but all models enforce the same: the limits.
       * @enum {unknown}
       */
      allocationModel?: 'PayAsYouGo' | 'AllocationPool' | 'ReservationPool' | 'Flex';
      /** @description The MHz that one vCPU counts for; default: 1000. Converts limits in MHz to limits in vCPUs */
      vCpuInMhz?: number;
      /** @description For all disks together, in MB; 0 means no limit */
      storageLimitMb?: number;
      /** @description The number of virtual machines, running or not; 0 means no limit */
      vmQuota?: number;
      /** @description The number of network cards of all virtual machines, running or not; default: 100; 0 means no limit */
      nicQuota?: number;
      /** @description The number of networks; default: 50; 0 means no limit. Not enforced, because there are no networks yet */
      networkQuota?: number;
      /** @description Disks allocate their space as they fill; default: false */
      isThinProvision?: boolean;
      /** @description If false, nothing can be created, instantiated or powered on; running VMs keep running. Default: true */
      isEnabled?: boolean;
      /** @description Absent numbers stay */
      computeCapacity?: {
        /** @description In MHz */
        cpu?: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          allocated?: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          limit?: number;
          /**
           * @description Always MHz
           * @enum {string}
           */
          units?: 'MHz';
          /** @description The limit in whole vCPUs: limit divided by vCpuInMhz, rounded down; 0 means no limit. Read-only */
          cores?: number;
        };
        /** @description In MB */
        memory?: {
          /** @description The guaranteed amount; 0 means none. At most the limit */
          allocated?: number;
          /** @description What all virtual machines together may have, running or not; 0 means no limit */
          limit?: number;
          /**
           * @description Always MB of 1024 × 1024 bytes
           * @enum {string}
           */
          units?: 'MB';
        };
      };
      /**
       * @description Read-only; must equal the id in the path
       * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
       */
      id?: string;
      /** @description Read-only */
      org?: {
        name?: string;
        /**
         * @description Must equal the id in the path
         * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        id: string;
      };
      /**
       * @description The member of the fleet that it is on (the provider VDC of VMware Cloud Director); default: the default cluster. Cannot be changed later
       * @example local
       */
      cluster?: string;
      /** @description Its namespace in the cluster, derived from the names and the id at creation. Cannot be changed */
      namespace?: string;
      /** @description Always empty: storage is limited by storageLimitMb */
      vdcStorageProfiles?: Record<string, never>;
      /** @description 1 ready, 0 not ready, -1 creation failed */
      status?: number;
      /** @description READY, NOT_READY, FAILED_CREATION; or DELETING, for which VMware Cloud Director has no number (0) */
      statusText?: string;
      /** @description The status is the last known one and may be out of date; staleReason says why */
      stale?: boolean;
      /** @description Why the status is stale; null if it is not */
      staleReason?: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        reason: string;
        /** @description What is unknown, and since when */
        message: string;
      } | null;
      /** @description What it waits for, or why it does not match the request; otherwise empty */
      message?: string;
      /** Format: date-time */
      createdAt?: string;
      /** Format: date-time */
      updatedAt?: string;
    };
    VdcPage: {
      /** @description Of all pages */
      resultTotal: number;
      pageCount: number;
      /** @description From 1 on */
      page: number;
      pageSize: number;
      /** @description Always empty */
      associations: Record<string, never>[];
      values: components['schemas']['Vdc'][];
    };
    /** @description The usage of a virtual data center */
    VdcUsage: {
      vdc: components['schemas']['Reference'];
      /** @description A vCPU counts as vCpuInMhz */
      cpu: {
        /** @description By all virtual machines that are not deleted, running or not */
        used: number;
        /** @description Absent if there is no limit */
        limit?: number;
        /** @description What remains of the limit; absent if there is no limit */
        available?: number;
        /**
         * @description Always MHz
         * @enum {string}
         */
        units: 'MHz';
      };
      vCpus: {
        /** @description By all virtual machines that are not deleted, running or not */
        used: number;
        /** @description Absent if there is no limit */
        limit?: number;
        /** @description What remains of the limit; absent if there is no limit */
        available?: number;
      };
      memory: {
        /** @description By all virtual machines that are not deleted, running or not */
        used: number;
        /** @description Absent if there is no limit */
        limit?: number;
        /** @description What remains of the limit; absent if there is no limit */
        available?: number;
        /**
         * @description Always MB of 1024 × 1024 bytes
         * @enum {string}
         */
        units: 'MB';
      };
      storage: {
        /** @description By all virtual machines that are not deleted, running or not */
        used: number;
        /** @description Absent if there is no limit */
        limit?: number;
        /** @description What remains of the limit; absent if there is no limit */
        available?: number;
        /**
         * @description Always MB of 1024 × 1024 bytes
         * @enum {string}
         */
        units: 'MB';
      };
      vms: {
        /** @description By all virtual machines that are not deleted, running or not */
        used: number;
        /** @description Absent if there is no limit */
        limit?: number;
        /** @description What remains of the limit; absent if there is no limit */
        available?: number;
      };
      /** @description Network cards */
      nics: {
        /** @description By all virtual machines that are not deleted, running or not */
        used: number;
        /** @description Absent if there is no limit */
        limit?: number;
        /** @description What remains of the limit; absent if there is no limit */
        available?: number;
      };
    };
    Version: {
      name: string;
      version: string;
    };
    Vm: {
      id: string;
      name: string;
      description: string;
      href: string;
      /** @description POWERED_ON, POWERED_OFF, POWERING_ON, POWERING_OFF, SUSPENDED, FAILED, UNKNOWN, DELETING; UNRESOLVED until it exists in its cluster; DELETED if it was deleted in its cluster without a request, which lists show only if their filter has status==DELETED */
      status: string;
      /** @description The number of the closest VMware Cloud Director status */
      statusCode: number;
      operations: components['schemas']['PowerOperations'];
      /** @description The status is the last known one and may be out of date; staleReason says why */
      stale: boolean;
      /** @description Why the status is stale; null if it is not */
      staleReason: {
        /** @description ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed */
        reason: string;
        /** @description What is unknown, and since when */
        message: string;
      } | null;
      vapp: components['schemas']['Reference'];
      vdc: components['schemas']['Reference'];
      /** @description The user who created it; null if it was created directly in the cluster, or if that is unknown */
      owner: components['schemas']['Reference'] | null;
      /** @description The requested vCPUs; if none were requested, the current ones */
      cpus: number | null;
      /** @description In MB; requested or current, as for cpus */
      memoryMb: number | null;
      /** @description Sets cpus and memoryMb */
      instancetype?: string;
      guestOs: string | null;
      hostName: string | null;
      ipAddresses: string[];
      /** @description A change takes effect after a power-off and power-on */
      restartRequired: boolean;
      /** @description Why it does not run */
      fault: {
        /** @description A constant */
        reason: string;
        message: string;
      } | null;
      /** @description A disk is still being filled */
      busy: boolean;
      disks: components['schemas']['Disk'][];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /** @description The current size in the cluster; differs from the requested size while a change is pending or needs a restart */
      observed: {
        cpus: number | null;
        memoryMb: number | null;
      };
      /** @description Its cluster and namespace; only for system administrators */
      placement?: {
        cluster: string;
        namespace: string;
        /** @description Of the VirtualMachine */
        vmName: string;
        node: string | null;
      };
    };
    /**
     * @description The fields to change: name, description, cpus, memoryMb, instancetype; absent fields stay. You can send back what you read: other fields are ignored
     * @example {
     *       "cpus": 4,
     *       "memoryMb": 4096
     *     }
     */
    VmChange: {
      /**
       * @description Read-only; must equal the id in the path
       * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
       */
      id?: string;
      /** @description Ignored */
      href?: unknown;
      /** @description Ignored */
      status?: unknown;
      /** @description Ignored */
      statusCode?: unknown;
      /** @description Ignored */
      operations?: unknown;
      /** @description Ignored */
      stale?: unknown;
      /** @description Ignored */
      staleReason?: unknown;
      /** @description Ignored */
      vapp?: unknown;
      /** @description Ignored */
      vdc?: unknown;
      /** @description Ignored */
      owner?: unknown;
      /** @description Another instance type, for a VM that has one */
      instancetype?: string;
      /** @description Ignored */
      guestOs?: unknown;
      /** @description Ignored */
      hostName?: unknown;
      /** @description Ignored */
      ipAddresses?: unknown;
      /** @description Ignored */
      restartRequired?: unknown;
      /** @description Ignored */
      fault?: unknown;
      /** @description Ignored */
      busy?: unknown;
      /** @description Ignored */
      disks?: unknown;
      /** @description Ignored */
      createdAt?: unknown;
      /** @description Ignored */
      updatedAt?: unknown;
      /** @description Ignored */
      observed?: unknown;
      /** @description Ignored */
      placement?: unknown;
      /** @description Unique in its vApp, ignoring case; for a standalone VM, unique in the virtual data center */
      name?: string;
      /** @description Free text */
      description?: string;
      /** @description vCPUs; not for a VM with an instance type */
      cpus?: number | null;
      /** @description In MB; not for a VM with an instance type */
      memoryMb?: number | null;
      /** @description Ignored */
      task?: unknown;
    };
    VmPage: {
      /** @description Of all pages */
      resultTotal: number;
      pageCount: number;
      /** @description From 1 on */
      page: number;
      pageSize: number;
      /** @description Always empty */
      associations: Record<string, never>[];
      values: components['schemas']['Vm'][];
    };
    VmValidation: {
      /** @description The quotas of the virtual data center */
      quotas: {
        /** @description vms, cpus, memoryMb, storageMb or nics */
        resource: string;
        /** @description Null if there is none */
        limit: number | null;
        usedBefore: number;
        usedAfter: number;
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
  listVdcsOfOrganization: {
    parameters: {
      query?: {
        /** @description From 1 on */
        page?: number;
        pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        filter?: string;
        /** @description Sent by some clients; ignored */
        filterEncoded?: string;
        /** @description The field to sort by, ascending */
        sortAsc?: string;
        /** @description The field to sort by, descending */
        sortDesc?: string;
      };
      header?: never;
      path: {
        /**
         * @description The organization
         * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        orgId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AdminVdcPage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  createVdc: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The organization
         * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        orgId: string;
      };
      cookie?: never;
    };
    /** @description A new virtual data center */
    requestBody: {
      content: {
        'application/json': components['schemas']['NewVdc'];
      };
    };
    responses: {
      /** @description The virtual data center, and the task that applies the request to its cluster, if any */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVdc'];
        };
      };
      /** @description The virtual data center, and the task that applies the request to its cluster, if any */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVdc'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getVdcOfOrganization: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The organization
         * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        orgId: string;
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vdcId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A virtual data center as the provider sees it */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AdminVdc'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  updateVdc: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The organization
         * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        orgId: string;
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vdcId: string;
      };
      cookie?: never;
    };
    /** @description The fields to change; absent fields stay. You can send back what you read: status, statusText, stale, staleReason, message, createdAt, updatedAt and vdcStorageProfiles are ignored */
    requestBody: {
      content: {
        'application/json': components['schemas']['VdcChange'];
      };
    };
    responses: {
      /** @description The virtual data center, and the task that applies the request to its cluster, if any */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVdc'];
        };
      };
      /** @description The virtual data center, and the task that applies the request to its cluster, if any */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVdc'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  deleteVdc: {
    parameters: {
      query?: {
        /** @description Even with virtual machines in it: they are destroyed with their disks */
        force?: boolean;
      };
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The organization
         * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        orgId: string;
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vdcId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The virtual data center, and the task that applies the request to its cluster, if any */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVdc'];
        };
      };
      /** @description The virtual data center is deleted */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Liveness'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getProfile: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A user */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['User'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getVersion: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Version'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listApiVersions: {
    parameters: {
      query?: never;
      header?: {
        accept?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listAuditEvents: {
    parameters: {
      query?: {
        /** @description From 1 on */
        page?: number;
        pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        filter?: string;
        /** @description Sent by some clients; ignored */
        filterEncoded?: string;
        /** @description The field to sort by, ascending */
        sortAsc?: string;
        /** @description The field to sort by, descending */
        sortDesc?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditEventPage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getAuditEvent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The audit event
         * @example urn:vcloud:auditTrail:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        eventId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditEvent'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listCatalogs: {
    parameters: {
      query?: {
        /** @description From 1 on */
        page?: number;
        pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        filter?: string;
        /** @description Sent by some clients; ignored */
        filterEncoded?: string;
        /** @description The field to sort by, ascending */
        sortAsc?: string;
        /** @description The field to sort by, descending */
        sortDesc?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CatalogPage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  createCatalog: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description A new catalog; its name is unique in the organization, ignoring case */
    requestBody: {
      content: {
        'application/json': components['schemas']['NewCatalog'];
      };
    };
    responses: {
      /** @description Default Response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Catalog'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getCatalog: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The catalog
         * @example urn:vcloud:catalog:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        catalogId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Catalog'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  updateCatalog: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The catalog
         * @example urn:vcloud:catalog:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        catalogId: string;
      };
      cookie?: never;
    };
    /** @description The fields to change; absent fields stay */
    requestBody: {
      content: {
        'application/json': components['schemas']['CatalogChange'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Catalog'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  deleteCatalog: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The catalog
         * @example urn:vcloud:catalog:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        catalogId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listCatalogItems: {
    parameters: {
      query?: {
        /** @description From 1 on */
        page?: number;
        pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        filter?: string;
        /** @description Sent by some clients; ignored */
        filterEncoded?: string;
        /** @description The field to sort by, ascending */
        sortAsc?: string;
        /** @description The field to sort by, descending */
        sortDesc?: string;
      };
      header?: never;
      path: {
        /**
         * @description The catalog
         * @example urn:vcloud:catalog:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        catalogId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CatalogItemPage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  createCatalogItem: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The catalog
         * @example urn:vcloud:catalog:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        catalogId: string;
      };
      cookie?: never;
    };
    /** @description A new catalog item; its name is unique in the catalog, ignoring case */
    requestBody: {
      content: {
        'application/json': components['schemas']['NewCatalogItem'];
      };
    };
    responses: {
      /** @description Default Response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CatalogItem'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getCatalogItem: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The catalog
         * @example urn:vcloud:catalog:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        catalogId: string;
        /**
         * @description The item
         * @example urn:vcloud:catalogitem:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        itemId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CatalogItem'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  updateCatalogItem: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The catalog
         * @example urn:vcloud:catalog:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        catalogId: string;
        /**
         * @description The item
         * @example urn:vcloud:catalogitem:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        itemId: string;
      };
      cookie?: never;
    };
    /** @description The fields to change; absent fields stay. A definition is replaced as a unit */
    requestBody: {
      content: {
        'application/json': components['schemas']['CatalogItemChange'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CatalogItem'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  deleteCatalogItem: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The catalog
         * @example urn:vcloud:catalog:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        catalogId: string;
        /**
         * @description The item
         * @example urn:vcloud:catalogitem:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        itemId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listClusters: {
    parameters: {
      query?: {
        /** @description From 1 on */
        page?: number;
        pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        filter?: string;
        /** @description Sent by some clients; ignored */
        filterEncoded?: string;
        /** @description The field to sort by, ascending */
        sortAsc?: string;
        /** @description The field to sort by, descending */
        sortDesc?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ClusterPage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  streamEvents: {
    parameters: {
      query?: {
        /**
         * @description The kinds of events, separated by commas: vm, vapp, task, vdc, catalog, catalogItem, organization, user, cluster. Default: all that you may see
         * @example vm,task
         */
        kinds?: string;
        /**
         * @description Only events of this virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vdc?: string;
        /**
         * @description Only events of this vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vapp?: string;
        /** @description Only events of this object and of its tasks */
        entity?: string;
        /** @description false: the stream ends after all events up to now; for clients that poll */
        follow?: boolean;
      };
      header?: {
        /** @description The id of the last event that you received; EventSource sends it automatically */
        'last-event-id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': string;
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  validateOrder: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OrderToValidate'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrderValidation'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listOrganizations: {
    parameters: {
      query?: {
        /** @description From 1 on */
        page?: number;
        pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        filter?: string;
        /** @description Sent by some clients; ignored */
        filterEncoded?: string;
        /** @description The field to sort by, ascending */
        sortAsc?: string;
        /** @description The field to sort by, descending */
        sortDesc?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrganizationPage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  createOrganization: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NewOrganization'];
      };
    };
    responses: {
      /** @description Default Response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Organization'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getOrganization: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The organization
         * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        orgId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Organization'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  updateOrganization: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The organization
         * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        orgId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OrganizationChange'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Organization'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  deleteOrganization: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The organization
         * @example urn:vcloud:org:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        orgId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listRoles: {
    parameters: {
      query?: {
        /** @description From 1 on */
        page?: number;
        pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        filter?: string;
        /** @description Sent by some clients; ignored */
        filterEncoded?: string;
        /** @description The field to sort by, ascending */
        sortAsc?: string;
        /** @description The field to sort by, descending */
        sortDesc?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RolePage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getRole: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The role
         * @example urn:vcloud:role:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        roleId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Role'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  logIn: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A session */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  logOut: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getCurrentSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CurrentSession'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  deleteCurrentSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  logInAsProvider: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A session */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getSession: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The session
         * @example urn:vcloud:session:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        sessionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A session */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  deleteSession: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The session
         * @example urn:vcloud:session:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        sessionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getSummary: {
    parameters: {
      query?: {
        /**
         * @description Only those of this virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vdc?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Summary'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listSyncFailures: {
    parameters: {
      query?: {
        /** @description From 1 on */
        page?: number;
        pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        filter?: string;
        /** @description Sent by some clients; ignored */
        filterEncoded?: string;
        /** @description The field to sort by, ascending */
        sortAsc?: string;
        /** @description The field to sort by, descending */
        sortDesc?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SyncFailurePage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getSyncFailure: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The sync failure
         * @example urn:vcloud:syncFailure:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        failureId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SyncFailure'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  retrySyncFailure: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The sync failure
         * @example urn:vcloud:syncFailure:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        failureId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SyncFailure'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listTasks: {
    parameters: {
      query?: {
        /** @description From 1 on */
        page?: number;
        pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        filter?: string;
        /** @description Sent by some clients; ignored */
        filterEncoded?: string;
        /** @description The field to sort by, ascending */
        sortAsc?: string;
        /** @description The field to sort by, descending */
        sortDesc?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskPage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getTask: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The task
         * @example urn:vcloud:task:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        taskId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Task'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  cancelTask: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The task
         * @example urn:vcloud:task:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        taskId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Task'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listTokens: {
    parameters: {
      query?: {
        /** @description From 1 on */
        page?: number;
        pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        filter?: string;
        /** @description Sent by some clients; ignored */
        filterEncoded?: string;
        /** @description The field to sort by, ascending */
        sortAsc?: string;
        /** @description The field to sort by, descending */
        sortDesc?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TokenPage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The API token
         * @example urn:vcloud:token:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        tokenId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An API token */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Token'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  revokeToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The API token
         * @example urn:vcloud:token:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        tokenId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listUsers: {
    parameters: {
      query?: {
        /** @description From 1 on */
        page?: number;
        pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        filter?: string;
        /** @description Sent by some clients; ignored */
        filterEncoded?: string;
        /** @description The field to sort by, ascending */
        sortAsc?: string;
        /** @description The field to sort by, descending */
        sortDesc?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserPage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  createUser: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NewUser'];
      };
    };
    responses: {
      /** @description A user */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['User'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The user
         * @example urn:vcloud:user:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        userId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A user */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['User'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  updateUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The user
         * @example urn:vcloud:user:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        userId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UserChange'];
      };
    };
    responses: {
      /** @description A user */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['User'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  deleteUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The user
         * @example urn:vcloud:user:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        userId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listVapps: {
    parameters: {
      query?: {
        /** @description From 1 on */
        page?: number;
        pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        filter?: string;
        /** @description Sent by some clients; ignored */
        filterEncoded?: string;
        /** @description The field to sort by, ascending */
        sortAsc?: string;
        /** @description The field to sort by, descending */
        sortDesc?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VappPage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getVapp: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vappId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VappDetail'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  updateVapp: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vappId: string;
      };
      cookie?: never;
    };
    /** @description The fields to change: name, description; absent fields stay. You can send back what you read */
    requestBody: {
      content: {
        'application/json': components['schemas']['VappChange'];
      };
    };
    responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description The vApp, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  deleteVapp: {
    parameters: {
      query?: {
        /** @description Even while VMs in it run */
        force?: boolean;
      };
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vappId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description The vApp is deleted */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  powerOffVapp: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vappId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description The vApp, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  powerOnVapp: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vappId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description The vApp, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  rebootVapp: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vappId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description The vApp, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  resetVapp: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vappId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description The vApp, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  resumeVapp: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vappId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description The vApp, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  shutdownVapp: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vappId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description The vApp, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  suspendVapp: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vappId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description The vApp, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listVmsOfVapp: {
    parameters: {
      query?: {
        /** @description From 1 on */
        page?: number;
        pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        filter?: string;
        /** @description Sent by some clients; ignored */
        filterEncoded?: string;
        /** @description The field to sort by, ascending */
        sortAsc?: string;
        /** @description The field to sort by, descending */
        sortDesc?: string;
      };
      header?: never;
      path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vappId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VmPage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  addVmToVapp: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The vApp
         * @example urn:vcloud:vapp:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vappId: string;
      };
      cookie?: never;
    };
    /** @description A new virtual machine: exactly one of image, dataSource, url and blank; and either an instance type, or cpus and memoryMb */
    requestBody: {
      content: {
        'application/json': components['schemas']['NewVm'];
      };
    };
    responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listVdcs: {
    parameters: {
      query?: {
        /** @description From 1 on */
        page?: number;
        pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        filter?: string;
        /** @description Sent by some clients; ignored */
        filterEncoded?: string;
        /** @description The field to sort by, ascending */
        sortAsc?: string;
        /** @description The field to sort by, descending */
        sortDesc?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VdcPage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getVdc: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vdcId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A share of a cluster for an organization, with limits for its virtual machines */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Vdc'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  instantiateTemplate: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vdcId: string;
      };
      cookie?: never;
    };
    /** @description A vApp to create from a catalog item. For boot images and items of the catalog itself you can describe the VM; for templates, which describe their own VMs, those fields are rejected */
    requestBody: {
      content: {
        'application/json': components['schemas']['Instantiation'];
      };
    };
    responses: {
      /** @description The vApp, the task that creates its VMs, and the values that were generated for its parameters */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['InstantiatedVapp'];
        };
      };
      /** @description The vApp, the task that creates its VMs, and the values that were generated for its parameters */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['InstantiatedVapp'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  validateVm: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vdcId: string;
      };
      cookie?: never;
    };
    /** @description A new virtual machine: exactly one of image, dataSource, url and blank; and either an instance type, or cpus and memoryMb */
    requestBody: {
      content: {
        'application/json': components['schemas']['NewVm'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VmValidation'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listInstanceTypes: {
    parameters: {
      query?: {
        /** @description From 1 on */
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vdcId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['InstanceTypePage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listPreferences: {
    parameters: {
      query?: {
        /** @description From 1 on */
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vdcId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreferencePage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getVdcUsage: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vdcId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The usage of a virtual data center */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VdcUsage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listVappsOfVdc: {
    parameters: {
      query?: {
        /** @description From 1 on */
        page?: number;
        pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        filter?: string;
        /** @description Sent by some clients; ignored */
        filterEncoded?: string;
        /** @description The field to sort by, ascending */
        sortAsc?: string;
        /** @description The field to sort by, descending */
        sortDesc?: string;
      };
      header?: never;
      path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vdcId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VappPage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  createVapp: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vdcId: string;
      };
      cookie?: never;
    };
    /** @description A vApp without VMs; add them afterwards */
    requestBody: {
      content: {
        'application/json': components['schemas']['NewVapp'];
      };
    };
    responses: {
      /** @description The vApp, and the task that applies the request to its cluster */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVapp'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listVmsOfVdc: {
    parameters: {
      query?: {
        /** @description From 1 on */
        page?: number;
        pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        filter?: string;
        /** @description Sent by some clients; ignored */
        filterEncoded?: string;
        /** @description The field to sort by, ascending */
        sortAsc?: string;
        /** @description The field to sort by, descending */
        sortDesc?: string;
      };
      header?: never;
      path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vdcId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VmPage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  createVm: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The virtual data center
         * @example urn:vcloud:vdc:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vdcId: string;
      };
      cookie?: never;
    };
    /** @description A new virtual machine: exactly one of image, dataSource, url and blank; and either an instance type, or cpus and memoryMb */
    requestBody: {
      content: {
        'application/json': components['schemas']['NewVm'];
      };
    };
    responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listVms: {
    parameters: {
      query?: {
        /** @description From 1 on */
        page?: number;
        pageSize?: number;
        /** @description FIQL, such as name==web*;isEnabled==true */
        filter?: string;
        /** @description Sent by some clients; ignored */
        filterEncoded?: string;
        /** @description The field to sort by, ascending */
        sortAsc?: string;
        /** @description The field to sort by, descending */
        sortDesc?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VmPage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getVm: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vmId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Vm'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  updateVm: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vmId: string;
      };
      cookie?: never;
    };
    /** @description The fields to change: name, description, cpus, memoryMb, instancetype; absent fields stay. You can send back what you read: other fields are ignored */
    requestBody: {
      content: {
        'application/json': components['schemas']['VmChange'];
      };
    };
    responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  deleteVm: {
    parameters: {
      query?: {
        /** @description Even while it runs: the guest stops as in a power failure */
        force?: boolean;
      };
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vmId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM is deleted */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  powerOffVm: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vmId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  powerOnVm: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vmId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  rebootVm: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vmId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  resetVm: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vmId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  resumeVm: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vmId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  shutdownVm: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vmId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  suspendVm: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vmId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  createConsoleTicket: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vmId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NewConsoleTicket'] | null;
      };
    };
    responses: {
      /** @description Default Response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConsoleTicket'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listDisks: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vmId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DiskPage'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  addDisk: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vmId: string;
      };
      cookie?: never;
    };
    /** @description An empty disk; exactly one of sizeGb and sizeMb */
    requestBody: {
      content: {
        'application/json': components['schemas']['NewDisk'];
      };
    };
    responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  removeDisk: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202
         * @example wait=30
         */
        prefer?: string;
      };
      path: {
        /**
         * @description The virtual machine
         * @example urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11
         */
        vmId: string;
        /** @description Its name */
        disk: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The VM, and the task that applies the request to its cluster */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description The VM, and the task that applies the request to its cluster */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedVm'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getControllerHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ControllerHealth'];
        };
      };
      /** @description Default Response */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ControllerHealth'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getLiveness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Liveness'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  registerProviderToken: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TokenRegistration'];
      };
    };
    responses: {
      /** @description A token that has not been handed out yet */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RegisteredToken'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  exchangeProviderToken: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': components['schemas']['TokenGrant'];
      };
    };
    responses: {
      /** @description A session */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TokenResponse'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  registerToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The name of the organization */
        org: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TokenRegistration'];
      };
    };
    responses: {
      /** @description A token that has not been handed out yet */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RegisteredToken'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  exchangeToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The name of the organization */
        org: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': components['schemas']['TokenGrant'];
      };
    };
    responses: {
      /** @description A session */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TokenResponse'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getReadiness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Readiness'];
        };
      };
      /** @description Default Response */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Readiness'];
        };
      };
      /** @description Why the request failed */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
}
