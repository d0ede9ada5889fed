import type { ReactElement } from 'react'
import { useClient, useReadable } from 'dragoman/react'
import type { Outgoing } from 'dragoman/client'
import { runCommand } from '../keyboard/command.ts'
import { KeyCaps } from '../keyboard/key-caps.tsx'
import { InertText } from '../safety/inert-text.tsx'
import { useFaces } from '../session-summary/use-faces.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Loading } from '../ui/empty.tsx'
import { PlaceLink } from '../ui/place-link.tsx'
import { ThemeSwitch } from '../ui/theme-switch.tsx'
import { usePart } from '../ui/use-part.ts'
import { AgentsHere } from './agents-here.tsx'
import { FirstRun } from './first-run.tsx'
import { Recent } from './recent.tsx'
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

/** The theme switch and links to the keyboard shortcuts. */
const Comforts = (): ReactElement => (
  <footer className={styles['comforts']}>
    <ThemeSwitch />
    <span className={styles['keys']}>
      <Button small kind="quiet" onClick={() => runCommand('keys')}>
        Keyboard shortcuts <KeyCaps keys="?" />
      </Button>
      <Button small kind="quiet" onClick={() => runCommand('palette')}>
        Find anything <KeyCaps keys="mod+k" />
      </Button>
    </span>
  </footer>
)

/** Prompts that this browser keeps because the server could not be asked yet. Nothing where there are none. */
function Unsent(): ReactElement | null {
  const unsent = useReadable(useClient().outbox.items).filter(({ state }) => state === 'queued')
  if (unsent.length === 0) return null
  return (
    <section>
      <h2 className={styles['heading']}>Saved here until the server is back</h2>
      <ul className={styles['cards']}>
        {unsent.map(each => (
          <li key={each.id}>
            <PlaceLink to={{ page: 'session', session: each.session }} className={styles['card']}>
              <span className={styles['title']}>
                <InertText text={wordsOf(each)} />
              </span>
              <Badge tone="warn">Not sent yet</Badge>
            </PlaceLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

const wordsOf = ({ parts }: Outgoing) =>
  parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join(' ') || 'Attachment'
