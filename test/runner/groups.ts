/** Which test files share a process. Those that change or measure their process have one of their own, and so have the long ones, which must be spread over the cores. */
import { areaOf, longest } from './longest.ts';

/** What a file does to, or learns from, the whole process. */
const ofProcess =
  /process\.(chdir|exit\b|exitCode|on\(|once\(|emit|kill\(process\.pid|env\[?.*\] ?[?|]?\??= |env\.\w+ = |umask|title|memoryUsage|cpuUsage|stdin|getActiveResourcesInfo|emitWarning)|delete process\.env|mock\.timers|globalThis|v8'|worker_threads|perf_hooks|async_hooks|\bgc\(|diagnostics_channel/;

/** More would leave one worker with much to do when the others have ended. */
const mostInGroup = 8;

/** The files in the given order, those that may share a process with their neighbours put together. */
export function groupFiles(
  files: readonly string[],
  sourceOf: (file: string) => string,
): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let open: string[] = [];
  for (const file of files) {
    if (!mayShare(file, sourceOf)) {
      groups.push([file]);
      continue;
    }
    if (open.length >= mostInGroup || areaOf(open[0] ?? file) !== areaOf(file)) open = [];
    if (open.length === 0) groups.push(open);
    open.push(file);
  }
  return groups;
}

function mayShare(file: string, sourceOf: (file: string) => string): boolean {
  return file.endsWith('.test.ts') && !longest.includes(file) && !ofProcess.test(sourceOf(file));
}
