import { useState, type ReactElement } from 'react'
import type { Session } from 'dragoman/client'
import { useSessionContext } from 'dragoman/react'
import { Loading } from '../ui/empty.tsx'
import { NotRead } from '../ui/not-read.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { AuditView } from './audit-view.tsx'
import { BranchesView } from './branches-view.tsx'
import { Confirm, type Question } from './confirm.tsx'
import styles from './context-panel.module.css'
import { InteractionsView } from './interactions-view.tsx'
import { PartsView } from './parts-view.tsx'
import { Summary } from './summary.tsx'

type View = 'sent' | 'interactions' | 'audit' | 'branches'

/** Switching between branches keeps the chosen view. */
let lastView: View = 'sent'

interface Asked {
  readonly step?: string
  readonly cursor?: string
}

/** What the model is sent and what was saved; the context changes, who made them, and how to undo them. */
export function ContextPanel({ session }: { readonly session: Session }): ReactElement {
  const { id } = session
  const [view, setView] = useState(lastView)
  const [asked, setAsked] = useState<Asked>({})
  const [question, ask] = useState<Question | null>(null)
  const { context, problem, again } = useSessionContext(id, asked)
  const page = (cursor: string | null) =>
    setAsked(({ step }) => ({ ...(step !== undefined && { step }), ...(cursor !== null && { cursor }) }))
  const sent = () =>
    context && (
      <PartsView
        session={id}
        context={context}
        onAsk={ask}
        onPage={page}
        onStep={step => setAsked({ step: String(step) })}
      />
    )
  return (
    <section className={styles['panel']} aria-label="Context">
      {context && <Summary context={context} />}
      {context === null && problem === null && <Loading what="the context" />}
      {problem !== null && <NotRead what="the context" problem={problem} onAgain={again} />}
      <Tabs<View>
        label="Context views"
        chosen={view}
        onChoose={chosen => setView((lastView = chosen))}
        tabs={[
          { name: 'sent', label: context ? `Trimmed (${context.total})` : 'Trimmed', content: sent },
          {
            name: 'interactions',
            label: 'Turns',
            content: () => <InteractionsView session={session} onAsk={ask} />,
          },
          { name: 'audit', label: 'Audit', content: () => <AuditView session={id} onAsk={ask} /> },
          {
            name: 'branches',
            label: 'Branches',
            content: () => <BranchesView session={session} onAsk={ask} />,
          },
        ]}
      />
      <Confirm question={question} onClose={() => ask(null)} />
    </section>
  )
}
