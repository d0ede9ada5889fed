export { conversationOf, flatten, type LegacyFormat, migrate } from './migrate.ts'
export { createMessagesView, emptyMessagesView } from './messages-view.ts'
