import type { ReactElement } from 'react'
import type { Session } from 'dragoman/client'
import { useLost } from '../ui/use-lost.ts'
import type { RowOf } from './row.ts'
import { useRowSetting } from './row-setting.ts'
import { SessionsAtWork } from './sessions-at-work.tsx'
import line from './small-line.module.css'
import { elapsed, lostWords, useNow } from './use-now.ts'
import styles from './working-row.module.css'

const quietMs = 20_000

/** How long there was no output, by this machine's clock. It is read once a second, so no entry causes a render. */
function silence(session: Session | null, now: number): string {
  const { activeAt = null, lag = null } = session?.state.get() ?? {}
  const since = activeAt === null ? null : activeAt + (lag ?? 0)
  return since === null || now - since < quietMs ? '' : ` · No output for ${elapsed(since, now)}`
}

/** Shows that the agent is running or queued, and for how long; without a connection, how long it was when that was lost. */
export function WorkingRow({ row: { since, places } }: { readonly row: RowOf<'working'> }): ReactElement {
  const { live } = useRowSetting()
  // In a frozen conversation no time passes.
  const start = live === null ? null : since
  const lost = useLost(live?.client ?? null)
  const now = useNow(start !== null && lost === null)
  const doing = places === null ? 'Working' : 'Queued'
  const time = start === null ? '' : ` · ${elapsed(start, now)}${silence(live?.session ?? null, now)}`
  return (
    <div className={line['line']}>
      <span className={styles['dot']} aria-hidden />
      <span>{lost === null ? `${doing}${time}` : lostWords(doing.toLowerCase(), start, lost)}</span>
      {places !== null && lost === null && (
        <>
          <span>{`${places === 1 ? '1 agent is' : `${places} agents are`} running, which is the limit. This starts when one finishes. Answer or stop one to make room.`}</span>
          {live !== null && <SessionsAtWork client={live.client} waiting={live.session.id} />}
        </>
      )}
    </div>
  )
}
