import type { Browser, Page } from 'playwright-core'

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds, by the clock and by the processor. */
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** The longest piece of work of a page's main thread, in milliseconds, and what was measured meanwhile. */
export interface Work<Made> {
  readonly clock: number
  readonly processor: number
  readonly made: Made
}

/** Traces a page while something is done. */
export async function longestWork<Made>(
  browser: Browser,
  page: Page,
  act: () => Promise<Made>,
): Promise<Work<Made>> {
  await browser.startTracing(page, {
    categories: ['disabled-by-default-devtools.timeline', '__metadata'],
  })
  const made = await act()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[]
  }
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === 'RunTask' && mains.has(`${pid} ${tid}`))
  if (tasks.length === 0) throw new Error('The browser traced no work.')
  const most = (of: (task: TraceEvent) => number | undefined) =>
    tasks.reduce((longest, task) => Math.max(longest, of(task) ?? 0), 0) / 1000
  return { clock: most(({ dur }) => dur), processor: most(({ tdur }) => tdur), made }
}
