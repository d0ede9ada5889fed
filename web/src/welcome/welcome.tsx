import { type ReactElement, useId } from 'react'
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
import { usePart } from '../ui/use-part.ts'
import { useAgents } from '../agents/use-agents.ts'
import { agentGroups, AgentsHere } from './agents-here.tsx'
import { HistoryHere } from './history-here.tsx'
import { Recent } from './recent.tsx'
import styles from './welcome.module.css'
import { Monitor, Moon, Sun } from 'lucide-react'
import themeSwitch from '../ui/theme-switch.module.css'
import { useTheme } from '../ui/theme.ts'
import { openNewSession } from '../sessions/new-session-door.ts'
import { DemoButton } from './demo-button.tsx'

/** The start page: an introduction for new users, and recent sessions for others. */
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
        {!isLoading && <HistoryHere />}
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

/** Prompts that this browser saved because the server could not be reached yet. Empty where there are none. */
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

const choices = [
  { choice: 'system', label: 'System', Icon: Monitor },
  { choice: 'light', label: 'Light', Icon: Sun },
  { choice: 'dark', label: 'Dark', Icon: Moon },
] as const

/** Light, dark, or as the machine has it. */
function ThemeSwitch(): ReactElement {
  const { choice, choose } = useTheme()
  const name = useId()
  return (
    <fieldset className={themeSwitch['switch']}>
      <legend className="unseen">Appearance</legend>
      {choices.map(({ choice: each, label, Icon }) => (
        <label key={each} className={themeSwitch['choice']} title={label}>
          <input
            type="radio"
            className="unseen"
            name={name}
            checked={choice === each}
            onChange={() => choose(each)}
          />
          <Icon size={16} aria-hidden />
          <span className="unseen">{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** For new users: who has an agent can start at once, and everybody else sees the demo first. */
function FirstRun(): ReactElement {
  const hasAgent = agentGroups(useAgents().agents ?? []).here.some(({ status }) => status === 'ready')
  return (
    <section className={styles['hero']}>
      <img src="/icon.svg" alt="" width={48} height={48} />
      <h1 className={styles['name']}>Dragoman</h1>
      <p className={styles['lead']}>
        Dragoman runs coding agents on this machine and saves everything they do. Give them work, watch them,
        approve their actions, and review everything later.
      </p>
      <div className={styles['actions']}>
        <DemoButton kind={hasAgent ? 'plain' : 'primary'} />
        <Button kind={hasAgent ? 'primary' : 'plain'} onClick={openNewSession}>
          Start a session
        </Button>
      </div>
      <p className={styles['note']}>
        The demo takes one minute. It needs no API key or account and changes no files.
      </p>
    </section>
  )
}
