/** The argument and result types of the repositories, derived from the table types. */
import type { Insertable, Updateable } from 'kysely';

type Stamps = 'created_at' | 'updated_at' | 'deleted_at';

/** `New` is a row to insert. The id may be given, since names of cluster objects derive from it. */
export type New<Table, Set extends keyof Table = never> = Omit<Insertable<Table>, Stamps | Set>;

/** The columns of an existing row that may change. */
export type ColumnChanges<Table, Fixed extends keyof Table = never> = Omit<Updateable<Table>, Stamps | 'id' | Fixed>;
