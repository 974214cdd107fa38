/** The commands of half of the pages that start other servers. */
import { commandsOf, otherGroups } from './pages.ts';

for (const group of otherGroups(0, 2)) commandsOf(...group);
