/** The commands of a third of the pages that start servers. */
import { commandsOf, pagesWithServers } from './pages.ts';

for (const page of pagesWithServers(0, 3)) commandsOf(page);
