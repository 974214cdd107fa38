/** The commands of the pages for newcomers, which need only `make run`. */
import { commandsOf, firstGroup } from './pages.ts';

commandsOf(...firstGroup());
