/** What the repositories take and give, out of the table types. */
import type { Insertable, Updateable } from 'kysely';

type Stamps = 'created_at' | 'updated_at' | 'deleted_at';

/** A row to be made. Its id may be given, since names of cluster objects derive from it. */
export type New<Table, Set extends keyof Table = never> = Omit<Insertable<Table>, Stamps | Set>;

/** What may change in a row that is there. */
export type Change<Table, Fixed extends keyof Table = never> = Omit<Updateable<Table>, Stamps | 'id' | Fixed>;
