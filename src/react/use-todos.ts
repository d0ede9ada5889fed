import type { Todo } from '../protocol/data-parts.ts'
import { useClient } from './provider.ts'
import { useReadable } from './use-readable.ts'

/** The plan of a session's agent as it stands, live. */
export const useTodos = (id: string): readonly Todo[] => useReadable(useClient().session(id).todos)
