import type { Json, JsonObject } from '../../protocol/json.ts'
import { isList } from '../formats/look.ts'
import { flatten, type LegacyFormat, migrate, type Migrated } from './migrate.ts'

/** What an old program holds: a `messages` array to read, push to, cut and replace. */
export interface MessagesView {
  messages: Json[]
  /** The same as interactions, as of now. */
  readonly migrated: () => Migrated
}

/** A flat `messages` array over a migrated one: `migrated()` includes every change of it. */
export function createMessagesView({ session, format, around, ...rest }: Migrated): MessagesView {
  const flat = flatten({ session, format, around: null, ...rest })
  return {
    messages: isList(flat) ? [...flat] : [],
    migrated() {
      return migrate(session, format, documentOf(this.messages, around))
    },
  }
}

const documentOf = (messages: readonly Json[], around: JsonObject | null): readonly Json[] | JsonObject =>
  around === null ? [...messages] : { ...around, messages: [...messages] }

/** An empty view, for a new session of an old program. */
export const emptyMessagesView = (session: string, format: LegacyFormat): MessagesView =>
  createMessagesView(migrate(session, format, []))
