import type { ReactElement } from 'react'
import { useClient } from 'dragoman/react'
import { useFaces } from '../session-summary/use-faces.ts'
import { Loading } from '../ui/empty.tsx'
import { usePart } from '../ui/use-part.ts'
import { AgentsHere } from './agents-here.tsx'
import { Comforts } from './comforts.tsx'
import { FirstRun } from './first-run.tsx'
import { Recent } from './recent.tsx'
import { Unsent } from './unsent.tsx'
import styles from './welcome.module.css'

/** The start: what this is for who is new, and the latest sessions for who is not. */
export function Welcome(): ReactElement {
  const list = useClient().sessions()
  const faces = useFaces(list)
  const isLoading = usePart(list, ({ loading }) => loading)
  const problem = usePart(list, state => state.problem)
  return (
    <div className={styles['page']}>
      <div className={styles['column']}>
        {isLoading && problem === null && <Loading what="sessions" />}
        {isLoading && problem !== null && <Away />}
        {!isLoading && (faces.length === 0 ? <FirstRun /> : <Recent faces={faces} />)}
        <Unsent />
        {!isLoading && <AgentsHere />}
        <Comforts />
      </div>
    </div>
  )
}

const Away = (): ReactElement => (
  <section className={styles['away']}>
    <h1 className={styles['name']}>Can’t reach the server</h1>
    <p>
      The app was loaded from this browser’s cache. Sessions appear once the server is back. Start it with{' '}
      <code>npm start</code> or <code>dragoman serve</code>.
    </p>
  </section>
)
