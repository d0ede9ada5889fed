import { lazy, Suspense, type ReactElement } from 'react'
import { Loading } from '../../ui/empty.tsx'
import { JsonTree } from '../../ui/json-tree.tsx'
import type { Section } from '../sections/section.ts'
import { Terminal } from '../terminal/terminal.tsx'
import { FileText } from './file-text.tsx'
import { Hits } from './hits.tsx'
import { LongMarkdown } from './long-markdown.tsx'
import { PlainText } from './plain-text.tsx'
import { Questions } from './questions.tsx'
import { Facts, Links, Pictures } from './small-views.tsx'
import { Titled } from './titled.tsx'
import { TodoList } from './todo-list.tsx'

const DiffView = lazy(async () => ({ default: (await import('../diff/diff-view.tsx')).DiffView }))

/** One part of an opened card. */
export function SectionView({
  section,
  live,
}: {
  readonly section: Section
  readonly live: boolean
}): ReactElement {
  switch (section.kind) {
    case 'diff':
      return (
        <Suspense fallback={<Loading what="changes" />}>
          <DiffView call={section.call} />
        </Suspense>
      )
    case 'terminal':
      return <Terminal {...section} live={live} />
    case 'file':
      return <FileText {...section} />
    case 'hits':
      return <Hits groups={section.groups} />
    case 'links':
      return <Links links={section.links} />
    case 'todos':
      return <TodoList todos={section.todos} />
    case 'questions':
      return <Questions questions={section.questions} />
    case 'pictures':
      return <Pictures pictures={section.pictures} />
    case 'facts':
      return <Facts facts={section.facts} />
    case 'markdown':
      return <LongMarkdown title={section.title} text={section.text} />
    case 'text':
      return <PlainText title={section.title} text={section.text} bad={section.bad === true} />
    case 'data':
      return (
        <Titled title={section.title} copy={() => JSON.stringify(section.value, null, 2)}>
          <JsonTree value={section.value} />
        </Titled>
      )
  }
}
