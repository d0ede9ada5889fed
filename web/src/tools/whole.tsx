import { useState, type ReactElement } from 'react'
import type { DataParts } from 'dragoman'
import type { Session } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { bytes as size } from '../ui/amounts.ts'
import { Button } from '../ui/button.tsx'
import styles from './card-body.module.css'
import { outputAs } from './sections/rest.ts'
import { SectionView } from './views/section-view.tsx'

type Fetched = { readonly text: string } | { readonly problem: string } | 'asked' | null

/** A shortened output; a button loads the agent's full output. */
export function Whole({
  session,
  shortened: { bytes, seq },
}: {
  readonly session: Session
  readonly shortened: DataParts['shortened']
}): ReactElement {
  const client = useClient()
  const [whole, setWhole] = useState<Fetched>(null)
  const fetchWhole = () => {
    setWhole('asked')
    client
      .request('GET /api/sessions/:session/entries/:seq/raw', {
        params: { session: session.id, seq: String(seq) },
        query: {},
      })
      .then(response => response.text())
      .then(
        text => setWhole({ text }),
        (error: unknown) =>
          setWhole({ problem: error instanceof Error ? error.message : 'The server gave no reason.' }),
      )
  }
  if (whole !== null && whole !== 'asked' && 'text' in whole)
    return (
      <>
        {outputAs('text', 'Full output', whole.text, null).map(section => (
          <SectionView key={section.kind} section={section} live={false} />
        ))}
      </>
    )
  return (
    <div className={styles['whole']}>
      <p>{`This output is shortened. The full output is ${size(bytes)}.`}</p>
      <Button small disabled={whole === 'asked'} onClick={fetchWhole}>
        {whole === 'asked' ? 'Loading…' : 'Show full output'}
      </Button>
      {whole !== null && whole !== 'asked' && <p role="alert">{`Couldn’t load it: ${whole.problem}`}</p>}
    </div>
  )
}
