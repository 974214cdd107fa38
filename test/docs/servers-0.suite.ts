/** The commands of the pages that a newcomer reads first: those that `make run` alone is enough for. Each day another one finds the server as it starts. */
import { commandsOf, firstGroup, startingAnew } from './pages.ts';

commandsOf(...startingAnew(firstGroup(), new Date()));
