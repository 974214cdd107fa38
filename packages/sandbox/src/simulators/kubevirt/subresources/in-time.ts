/** virt-api's timeout for virt-handler. */
const HANDLER_TIMEOUT_MS = 10_000;

export async function inTime<T>(asked: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error('context deadline exceeded (Client.Timeout exceeded while awaiting headers)')),
      HANDLER_TIMEOUT_MS,
    );
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
