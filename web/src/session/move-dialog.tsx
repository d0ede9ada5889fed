import { useState, type FormEvent, type ReactElement } from 'react'
import type { Session } from 'dragoman/client'
import { AgentChoice } from '../agents/agent-choice.tsx'
import { obstacle } from '../agents/readiness.ts'
import { useAgents } from '../agents/use-agents.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { toast } from '../ui/toast.ts'
import styles from './session-dialogs.module.css'

/** Lets another agent go on with a session. */
export const MoveDialog = ({
  session,
  agent,
  open,
  onClose,
}: {
  readonly session: Session
  /** The one it has now. */
  readonly agent: string
  readonly open: boolean
  readonly onClose: () => void
}): ReactElement => (
  <Dialog open={open} title="Move to another agent" onClose={onClose}>
    <MoveForm session={session} agent={agent} onDone={onClose} />
  </Dialog>
)

function MoveForm({
  session,
  agent,
  onDone,
}: {
  readonly session: Session
  readonly agent: string
  readonly onDone: () => void
}): ReactElement {
  const [chosen, choose] = useState('')
  const { isBusy, problem, move } = useMove(session, onDone)
  const hindrance = obstacle(useAgents().agents, chosen)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    move(chosen)
  }
  return (
    <form className={styles['body']} onSubmit={submit}>
      <p className={styles['about']}>
        The conversation stays here. The other agent gets a copy of it with your next prompt.
      </p>
      <AgentChoice legend="Agent" chosen={chosen} onChoose={choose} except={agent} />
      <p role="alert" className={styles['problem']}>
        {problem ?? hindrance}
      </p>
      <div className={styles['actions']}>
        <Button onClick={onDone}>Cancel</Button>
        <Button kind="primary" type="submit" disabled={isBusy || chosen === '' || hindrance !== null}>
          Move
        </Button>
      </div>
    </form>
  )
}

/** Moves the session to an agent, or shows why it can't. */
function useMove(session: Session, onDone: () => void) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const done = () => {
    toast('The next prompt goes to the other agent.')
    onDone()
  }
  const failed = (error: Error) => {
    setBusy(false)
    setProblem(error.message)
  }
  const move = (agent: string) => {
    if (agent === '' || isBusy) return
    setBusy(true)
    session.assign(agent).then(done, failed)
  }
  return { isBusy, problem, move }
}
