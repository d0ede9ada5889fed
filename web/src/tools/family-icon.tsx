import type { ReactElement } from 'react'
import {
  Bot,
  Eye,
  FilePen,
  FilePlus,
  FileText,
  FolderTree,
  Globe,
  History,
  ListTodo,
  Map as MapIcon,
  MessageCircleQuestion,
  MessagesSquare,
  Search,
  Sparkles,
  SquareTerminal,
  Telescope,
  Wrench,
  type LucideIcon,
} from 'lucide-react'
import type { ToolFamily } from 'dragoman/client/work-log'

const icons: Readonly<Record<ToolFamily, LucideIcon>> = {
  read: FileText,
  write: FilePlus,
  edit: FilePen,
  list: FolderTree,
  search: Search,
  run: SquareTerminal,
  watch: Eye,
  fetch: Globe,
  'web-search': Telescope,
  todo: ListTodo,
  task: ListTodo,
  plan: MapIcon,
  ask: MessageCircleQuestion,
  delegate: Bot,
  helper: MessagesSquare,
  skill: Sparkles,
  recall: History,
  other: Wrench,
}

/** The picture of a kind of tool. */
export function FamilyIcon({ family }: { readonly family: ToolFamily }): ReactElement {
  const Icon = icons[family]
  return <Icon size={16} aria-hidden />
}
