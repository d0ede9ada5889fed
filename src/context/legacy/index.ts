export {
  conversationOf,
  flatten,
  type LegacyFormat,
  type LegacyMessage,
  migrate,
  type Migrated,
} from './migrate.ts'
export { createMessagesView, emptyMessagesView, type MessagesView } from './messages-view.ts'
