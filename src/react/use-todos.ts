import type { Todo } from '../protocol/data-parts.ts'
import { useClient } from './provider.ts'
import { useReadable } from './use-readable.ts'

/** The current plan of a session's agent, live. */
export const useTodos = (id: string): readonly Todo[] => useReadable(useClient().session(id).todos)
