/** A separate file, so that a process can see that no migration is due without loading the migrations. */
export const newestMigration = '0014-cluster-details';
