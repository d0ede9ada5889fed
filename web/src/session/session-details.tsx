import { useId, type ReactElement, type ReactNode, type ToggleEvent } from 'react'
import { Info } from 'lucide-react'
import type { SessionFacts } from 'dragoman/client'
import { inertString } from '../safety/inert-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import { agentTitle, useAgents } from '../agents/use-agents.ts'
import { IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { inFull } from '../ui/moments.ts'
import { PlaceLink } from '../ui/place-link.tsx'
import styles from './session-details.module.css'
import { usageLines } from './usage-words.ts'

/** Everything about a session that a header has no room for: both its ids, its folder, what it used. */
export function SessionDetails({ facts }: { readonly facts: SessionFacts }): ReactElement {
  const id = useId()
  return (
    <>
      <IconButton label="About this session" popoverTarget={id}>
        <Info size={18} aria-hidden />
      </IconButton>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label="About this session"
        className={styles['details']}
        onToggle={place}
      >
        <Lines facts={facts} />
      </div>
    </>
  )
}

function Lines({ facts }: { readonly facts: SessionFacts }): ReactElement {
  const { id, agentSession, agent, cwd, model, branch, createdAt, interactions } = facts
  const title = agentTitle(useAgents(), agent)
  return (
    <dl className={styles['lines']}>
      <Line name="Session ID">
        <Copied text={id} what="session ID" />
      </Line>
      <Line name={`${title} session ID`}>
        {agentSession === null ? 'none yet' : <Copied text={agentSession} what="agent session ID" />}
      </Line>
      <Line name="Folder">
        <Copied text={cwd} what="folder" />
      </Line>
      <Line name="Model">{model === null ? 'not reported yet' : <InertText text={model} />}</Line>
      <Line name="Started">{inFull(createdAt)}</Line>
      <Line name="Turns">{interactions}</Line>
      {usageLines(facts).map(([name, value]) => (
        <Line key={name} name={name}>
          {value}
        </Line>
      ))}
      {branch && (
        <Line name="Branch">
          <PlaceLink to={{ page: 'session', session: branch.session, message: branch.message }}>
            Show where it branched
          </PlaceLink>
        </Line>
      )}
    </dl>
  )
}

const Line = ({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement => (
  <div className={styles['line']}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const Copied = ({ text, what }: { readonly text: string; readonly what: string }): ReactElement => (
  <span className={styles['copied']}>
    <code>{inertString(text)}</code>
    <CopyButton text={text} label={`Copy ${what}`} />
  </span>
)

/** Under its button, inside the window. */
function place({ newState, currentTarget: box }: ToggleEvent<HTMLDivElement>): void {
  const opener = document.querySelector(`[popovertarget="${CSS.escape(box.id)}"]`)
  if (newState !== 'open' || opener === null) return
  const { bottom, right } = opener.getBoundingClientRect()
  box.style.top = `${bottom + 4}px`
  box.style.left = `${Math.max(8, Math.min(right, window.innerWidth - 8) - box.offsetWidth)}px`
}
