import type { Block } from '../transcript/block.ts'
import { anchor, type Fate } from './show.ts'

const cleared = '[superseded]'

/** The resource of a call: a later call with the same resource makes the earlier one obsolete. */
function subjectOf(block: Block): string | null {
  const { tool = '', input = {} } = block.call ?? {}
  if (tool === 'Read') return `read ${JSON.stringify(input)}`
  if (tool === 'TodoWrite') return 'todo'
  if (tool === 'Write') return `write ${String(input['file_path'])}`
  if (tool !== 'Bash') return null
  const command = String(input['command'])
  return /^git (status|diff)/.test(command) ? `git ${command.slice(4, 8)}` : `run ${command}`
}

interface Known {
  /** The newest result of each subject. */
  readonly newest: Map<string, Block>
  readonly calls: Map<string, Block>
  readonly fates: Map<Block, Fate>
}

function hear(known: Known, block: Block, dropReads: boolean): void {
  const { newest, calls, fates } = known
  if (block.call === null) return
  if (block.kind === 'call') calls.set(block.call.id, block)
  if (block.kind !== 'result') return
  const call = calls.get(block.call.id)
  if (block.isError && call !== undefined) fates.set(call, cleared)
  const subject = subjectOf(block)
  if (subject !== null) {
    const earlier = newest.get(subject)
    if (earlier !== undefined) fates.set(earlier, cleared)
    newest.set(subject, block)
  }
  const path = String(block.call.input['file_path'])
  if (block.call.tool === 'Read' && !('offset' in block.call.input)) supersedeWrite(known, path)
  if (dropReads && block.call.tool === 'Edit' && !block.isError) invalidateReads(known, path)
}

/** A file that was written and then read whole is there twice. */
function supersedeWrite({ newest, calls, fates }: Known, path: string): void {
  const call = calls.get(newest.get(`write ${path}`)?.call?.id ?? '')
  if (call !== undefined) fates.set(call, cleared)
}

function invalidateReads({ newest, fates }: Known, path: string): void {
  for (const [subject, block] of newest)
    if (subject.startsWith('read') && block.call?.input['file_path'] === path) fates.set(block, cleared)
}

const naive = (name: string, dropReads: boolean) =>
  anchor(name, () => {
    const known: Known = { newest: new Map(), calls: new Map(), fates: new Map() }
    let heard = 0
    return (_request, seen) => {
      for (const block of seen.slice(heard)) hear(known, block, dropReads)
      heard = seen.length
      return known.fates
    }
  })

/** The rules that come to mind, each applied the moment it holds. */
export const naiveRules = naive('naive rules, at once', false)

/** The same, and an edit makes every earlier read of its file go. */
export const naiveWithEdits = naive('naive rules, edit clears reads', true)
