import type { UsageFilter, UsageRead } from '../../catalogue/read-usage.ts'
import type { Host } from '../host.ts'

/** Which usage to sum up; demo sessions only on request. */
export interface UsageWish extends Omit<UsageFilter, 'now' | 'without'> {
  readonly demo?: boolean
}

/** What is needed to read usage, and a promise that the catalogue has everything that is saved. */
export interface UsageParts {
  readonly host: Host
  settled(): Promise<void>
}

/** Reads the usage across sessions. Sessions whose rows were written by an older version count once their rows are renewed. */
export function createUsageReader(sessions: UsageParts, renewRows: () => Promise<number>) {
  const { catalogue, now, agents } = sessions.host
  const demos = [...agents.values()].filter(({ isDemo }) => isDemo).map(({ name }) => name)
  return async ({
    demo = false,
    ...filter
  }: UsageWish): Promise<UsageRead & { readonly waiting: number }> => {
    await sessions.settled()
    const waiting = await renewRows()
    return {
      ...(await catalogue.usage({ ...filter, without: demo ? [] : demos, now: now() })),
      waiting,
    }
  }
}
