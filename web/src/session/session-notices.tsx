import { useState, type ReactElement, type ReactNode } from 'react'
import { ArrowRightLeft, TriangleAlert, X } from 'lucide-react'
import type { SessionFacts } from 'dragoman/client'
import { InertText } from '../safety/inert-text.tsx'
import { agentTitle, useAgents } from '../sessions/use-agents.ts'
import { IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { handoverWords } from './handover-words.ts'
import styles from './session-notices.module.css'

/** What one should know of the whole session: its words cannot be saved, or it was handed over. */
export function SessionNotices({ facts }: { readonly facts: SessionFacts }): ReactElement {
  return (
    <>
      {facts.trouble && (
        <Notice kind="bad" icon={<TriangleAlert size={16} aria-hidden />} text={facts.trouble.message} />
      )}
      {facts.handedOver && <HandedOver key={facts.handedOver.seq} handedOver={facts.handedOver} />}
    </>
  )
}

function HandedOver({
  handedOver,
}: {
  readonly handedOver: NonNullable<SessionFacts['handedOver']>
}): ReactElement | null {
  const agents = useAgents()
  const [isRead, setRead] = useState(false)
  const words = handoverWords(handedOver, agentTitle(agents, handedOver.agent))
  if (words === null || isRead) return null
  return (
    <Notice kind="live" icon={<ArrowRightLeft size={16} aria-hidden />} text={words}>
      <IconButton label="Dismiss" onClick={() => setRead(true)}>
        <X size={16} aria-hidden />
      </IconButton>
    </Notice>
  )
}

const Notice = ({
  kind,
  icon,
  text,
  children,
}: {
  readonly kind: 'bad' | 'live'
  readonly icon: ReactElement
  readonly text: string
  readonly children?: ReactNode
}): ReactElement => (
  <div className={classNames(styles['notice'], styles[kind])} role="note">
    {icon}
    <span className={styles['text']}>
      <InertText text={text} />
    </span>
    {children}
  </div>
)
