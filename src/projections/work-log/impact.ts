import type { WorkFile, WorkPair, WorkResult } from './work-facts.ts'

/** What a tool call did to something: a file, a command, a page. */
export interface Impact {
  /** The key that every call about the same has, such as `file:/abs/path`. */
  readonly resource: string
  readonly change: 'created' | 'changed' | 'deleted' | 'read' | 'ran'
}

/** What a call did; nothing while it runs, or where it failed without having run. */
export function impactOf({ subject, result }: WorkPair, outcome: string): readonly Impact[] {
  if (outcome === 'pending' || result === null) return []
  const { family, files, about } = subject
  if (family === 'run') {
    const ran = outcome !== 'failure' || result.exit !== undefined
    return ran && about !== '' ? [{ resource: `command:${about}`, change: 'ran' }] : []
  }
  if (outcome === 'failure') return []
  if (family === 'read') return files.map(({ key }) => ({ resource: key, change: 'read' }))
  if (family === 'write' || family === 'edit') return files.flatMap(file => changesOf(file, result))
  if (family === 'fetch' && about !== '') return [{ resource: `url:${about}`, change: 'read' }]
  return []
}

function changesOf({ key, kind, movedKey }: WorkFile, result: WorkResult): readonly Impact[] {
  if (kind === 'delete') return [{ resource: key, change: 'deleted' }]
  if (movedKey !== undefined)
    return [
      { resource: key, change: 'deleted' },
      { resource: movedKey, change: 'created' },
    ]
  const isNew = kind === 'add' || (kind === 'write' && result.created === true)
  return [{ resource: key, change: isNew ? 'created' : 'changed' }]
}
