import { useState, type ReactElement } from 'react'
import type { Session } from 'dragoman/client'
import { useInteractions } from 'dragoman/react'
import { Button } from '../ui/button.tsx'
import { Empty, Loading } from '../ui/empty.tsx'
import { NotRead } from '../ui/not-read.tsx'
import type { Question } from './confirm.tsx'
import { InteractionRow } from './interaction-row.tsx'
import styles from './interactions-view.module.css'
import { validityWords, type Interaction } from './words.ts'

type Validity = Interaction['validity']

const page = 50

/** The interactions of a session, newest first, with their context state. */
export function InteractionsView({
  session,
  onAsk,
}: {
  readonly session: Session
  readonly onAsk: (question: Question) => void
}): ReactElement {
  const [validity, setValidity] = useState<Validity | ''>('')
  const [limit, setLimit] = useState(page)
  const query = { limit: String(limit), ...(validity !== '' && { validity }) }
  const { interactions, next, loading, problem, again } = useInteractions(session.id, query)
  return (
    <>
      <div className={styles['filters']}>
        <select
          aria-label="Filter turns"
          value={validity}
          onChange={({ target }) => setValidity(target.value as Validity | '')}
        >
          <option value="">All turns</option>
          {Object.entries(validityWords).map(([name, [words]]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </div>
      {problem !== null && <NotRead what="turns" problem={problem} onAgain={again} />}
      {loading && problem === null && <Loading what="turns" />}
      {interactions.length === 0 && !loading && problem === null && (
        <Empty title={validity === '' ? 'No turns yet' : 'No results'} />
      )}
      <ul>
        {interactions.toReversed().map(interaction => (
          <InteractionRow key={interaction.id} session={session} interaction={interaction} onAsk={onAsk} />
        ))}
      </ul>
      {next !== null && limit < 500 && (
        <Button small kind="quiet" onClick={() => setLimit(Math.min(500, limit + 100))}>
          Earlier turns
        </Button>
      )}
    </>
  )
}
