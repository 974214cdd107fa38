/** The commands of the other half of the pages that start other servers. */
import { commandsOf, otherGroups } from './pages.ts';

for (const group of otherGroups(1, 2)) commandsOf(...group);
