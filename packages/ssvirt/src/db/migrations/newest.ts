/** `newestMigration` is a separate file, so that a process can see that no migration is due without loading the migrations. */
export const newestMigration = '0015-vm-list-keys';
