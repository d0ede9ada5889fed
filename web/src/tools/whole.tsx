import type { ReactElement } from 'react'
import type { DataParts } from 'dragoman'
import type { Session } from 'dragoman/client'
import { bytes as size } from '../ui/amounts.ts'
import { Button } from '../ui/button.tsx'
import { useFetched } from '../ui/use-fetched.ts'
import styles from './card-body.module.css'
import { outputAs } from './sections/rest.ts'
import { SectionView } from './views/section-view.tsx'

/** A shortened output; a button loads the agent's full output. */
export function Whole({
  session,
  shortened: { bytes, seq },
}: {
  readonly session: Session
  readonly shortened: DataParts['shortened']
}): ReactElement {
  const { data, problem, isLoading, again } = useFetched(
    ['raw', session.id, seq],
    async (client, signal) => {
      const params = { session: session.id, seq: String(seq) }
      return (
        await client.request('GET /api/sessions/:session/entries/:seq/raw', { params }, { signal })
      ).text()
    },
    { enabled: false, staleTime: Infinity },
  )
  if (data !== null)
    return (
      <>
        {outputAs('text', 'Full output', data, null).map(section => (
          <SectionView key={section.kind} section={section} live={false} />
        ))}
      </>
    )
  return (
    <div className={styles['whole']}>
      <p>{`This output is shortened. The full output is ${size(bytes)}.`}</p>
      <Button small disabled={isLoading} onClick={again}>
        {isLoading ? 'Loading…' : 'Show full output'}
      </Button>
      {problem !== null && !isLoading && <p role="alert">{`Couldn’t load it: ${problem}`}</p>}
    </div>
  )
}
