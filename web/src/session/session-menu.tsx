import { useState, type ReactElement } from 'react'
import {
  Archive,
  ArchiveRestore,
  ArrowRightLeft,
  Download,
  Ellipsis,
  GitFork,
  History,
  Pencil,
  Search,
  Trash2,
} from 'lucide-react'
import type { Session, SessionFacts } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { runCommand, useCommands } from '../keyboard/command.ts'
import { keyed } from '../keyboard/key-table.ts'
import { go } from '../places.ts'
import { archiveSession, deleteSession } from '../sessions/session-actions.ts'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { toast, toastError } from '../ui/toast.ts'
import { ExportDialog } from './export-dialog.tsx'
import { focusMessage } from '../composer/focus-message.ts'
import { MoveDialog } from './move-dialog.tsx'

/** Actions for a whole session. */
export function SessionMenu({
  session,
  facts,
  onRename,
}: {
  readonly session: Session
  readonly facts: SessionFacts
  readonly onRename: () => void
}): ReactElement {
  const [asked, ask] = useState<'move' | 'export' | null>(null)
  const items = useItems(session, facts, onRename, ask)
  const close = () => ask(null)
  useCommands(
    // Finding is a command of the transcript.
    items
      .filter(({ label }) => label !== findLabel)
      .map(({ label, disabled = false, onChoose }) => ({
        id: `session-${label}`,
        title: label,
        group: 'Session',
        ...(label === 'Rename' && keyed('session-Rename')),
        when: () => !disabled,
        run: onChoose,
      })),
  )
  return (
    <>
      <Menu label="Session actions" icon={<Ellipsis size={18} aria-hidden />} items={items} />
      <MoveDialog session={session} agent={facts.agent} open={asked === 'move'} onClose={close} />
      <ExportDialog session={facts} open={asked === 'export'} onClose={close} />
    </>
  )
}

const findLabel = keyed('find').title

function useItems(
  session: Session,
  facts: SessionFacts,
  rename: () => void,
  ask: (what: 'move' | 'export') => void,
): readonly MenuItem[] {
  const client = useClient()
  const { archived, interactions } = facts
  const Shelf = archived ? ArchiveRestore : Archive
  const picture = { size: 16, 'aria-hidden': true } as const
  return [
    {
      label: findLabel,
      icon: <Search {...picture} />,
      onChoose: () => runCommand('find'),
    },
    { label: 'Rename', icon: <Pencil {...picture} />, onChoose: rename },
    {
      label: 'Branch from the last message',
      icon: <GitFork {...picture} />,
      disabled: interactions === 0,
      onChoose: () => fork(session),
    },
    { label: 'Move to another agent', icon: <ArrowRightLeft {...picture} />, onChoose: () => ask('move') },
    {
      label: 'Replay',
      icon: <History {...picture} />,
      onChoose: () => go({ page: 'replay', session: session.id }),
    },
    { label: 'Export', icon: <Download {...picture} />, onChoose: () => ask('export') },
    {
      label: archived ? 'Unarchive' : 'Archive',
      icon: <Shelf {...picture} />,
      onChoose: () => archiveSession(client, facts, !archived),
    },
    {
      label: 'Delete',
      icon: <Trash2 {...picture} />,
      danger: true,
      onChoose: () => deleteSession(client, facts),
    },
  ]
}

/** Creates a new session that continues from here. */
function fork(session: Session): void {
  const last = session.messages.get().at(-1)
  if (last === undefined) return toast('There are no messages to branch from yet.')
  const there = ({ id }: { readonly id: string }) => {
    go({ page: 'session', session: id })
    focusMessage()
    toast('This is the new branch. The original session did not change.')
  }
  session.branch(last.id).then(there, toastError)
}
