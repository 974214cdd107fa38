/** The commands of the pages that a newcomer reads first: those that `make run` alone is enough for. */
import { commandsOf, firstGroup } from './pages.ts';

commandsOf(...firstGroup());
