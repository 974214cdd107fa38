/** By itself, so that a process can see that there is nothing to do without loading what would do it. */
export const newestMigration = '0010-status-currency';
