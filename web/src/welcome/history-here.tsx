import type { ReactElement } from 'react'
import type { Client } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { useAgents } from '../agents/use-agents.ts'
import { InertText } from '../safety/inert-text.tsx'
import { counted, short } from '../ui/amounts.ts'
import { Button } from '../ui/button.tsx'
import { toastError } from '../ui/toast.ts'
import { useFetched } from '../ui/use-fetched.ts'
import { followingWords, foundWords, importWords, missingFrom } from './history-words.ts'
import own from './history-here.module.css'
import styles from './welcome.module.css'

const load = (client: Client, signal: AbortSignal) => client.call('GET /api/imports', undefined, { signal })

type History = Awaited<ReturnType<typeof load>>

/** An import is looked at this often while it runs. */
const betweenMs = 700

/** The sessions that agents saved on this machine: one click imports them. Empty when there is nothing to import. */
export function HistoryHere(): ReactElement | null {
  const client = useClient()
  const { agents } = useAgents()
  const { data, again } = useFetched(['imports'], load, {
    refetchInterval: ({ state }) => (state.data?.running == null ? false : betweenMs),
    refetchOnWindowFocus: true,
  })
  if (data === null) return null
  const { found, running, imports, following } = data
  const last = running ?? imports[0] ?? null
  const missing = missingFrom(found)
  if (missing === 0 && last === null) return null
  const titleOf = (name: string) => agents?.find(agent => agent.name === name)?.title ?? name
  const run = (call: Promise<unknown>) => void call.then(again, toastError)
  const pause = (id: string, paused: boolean) =>
    run(client.call('PATCH /api/imports/:import', { params: { import: id }, body: { paused } }))
  const follow = (on: boolean) => run(client.call('PATCH /api/imports', { body: { following: on } }))
  return (
    <section aria-label="Sessions on this machine">
      <h2 className={styles['heading']}>Sessions on this machine</h2>
      <div className={styles['history']}>
        <p>
          <InertText text={foundWords(found, titleOf, Date.now())} />
        </p>
        {last !== null && <Course last={last} />}
        {running !== null && (
          <div className={own['choices']}>
            <Button small onClick={() => pause(running.id, !running.paused)}>
              {running.paused ? 'Continue the import' : 'Pause the import'}
            </Button>
            <Button
              small
              onClick={() =>
                run(client.call('DELETE /api/imports/:import', { params: { import: running.id } }))
              }
            >
              Stop the import
            </Button>
          </div>
        )}
        {running === null && missing > 0 && (
          <Button small kind="primary" onClick={() => run(client.call('POST /api/imports', { body: {} }))}>
            {`Import ${counted(missing, 'session')}`}
          </Button>
        )}
        {running === null && <Following following={following} change={follow} />}
      </div>
    </section>
  )
}

/** Whether sessions appear while agents write them, and a button to change that. */
const Following = ({
  following: { on, by },
  change,
}: {
  readonly following: History['following']
  readonly change: (on: boolean) => void
}): ReactElement | null => {
  if (!on && by === 'first-import') return null
  return (
    <div className={own['choices']}>
      <p className={styles['advice']}>{followingWords(on)}</p>
      {by !== 'configuration' && (
        <Button small kind="quiet" onClick={() => change(!on)}>
          {on ? 'Stop following' : 'Follow my agents'}
        </Button>
      )}
    </div>
  )
}

/** How far an import is, and a bar while it runs. */
const Course = ({ last }: { readonly last: NonNullable<History['running']> }): ReactElement => (
  <>
    {last.endedAt === null && (
      <progress aria-label="Import" max={Math.max(1, last.bytes)} value={last.bytesDone} />
    )}
    <p role="status" className={styles['advice']}>
      <InertText text={importWords(last)} />
    </p>
    {last.reasons.length > 0 && (
      <details className={styles['advice']}>
        <summary>Why lines or files were skipped</summary>
        <ul>
          {last.reasons.map(({ reason, count }) => (
            <li key={reason}>
              <InertText text={`${short(count)} × ${reason}`} />
            </li>
          ))}
        </ul>
      </details>
    )}
  </>
)
