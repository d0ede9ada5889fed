import { lazy, Suspense, type ReactElement, type ReactNode } from 'react'
import { Loading } from '../../ui/empty.tsx'
import { JsonTree } from '../../ui/json-tree.tsx'
import type { Section } from '../sections/section.ts'
import { Terminal } from '../terminal/terminal.tsx'
import { Hits } from './hits.tsx'
import { Questions } from './questions.tsx'
import { Facts, Links, Pictures } from './small-views.tsx'
import { CodeText } from '../../markdown/code-text.tsx'
import { inertString } from '../../safety/inert-text.ts'
import { useRoom } from '../use-room.ts'
import { MoreButton } from './more-button.tsx'
import styles from './views.module.css'
import { InertText } from '../../safety/inert-text.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Markdown } from '../../markdown/markdown.tsx'
import { Circle, CircleCheck, CircleDot, CircleSlash, type LucideIcon } from 'lucide-react'
import type { Todo } from 'dragoman'
import { CopyButton } from '../../ui/copy-button.tsx'

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

/** The text of a file, with the numbers of its lines beside it. */
function FileText({
  path,
  first,
  text,
}: {
  readonly path: string
  readonly first: number
  readonly text: string
}): ReactElement {
  const { text: shown, left, showMore } = useRoom(text)
  const count = shown.split('\n').length - (shown.endsWith('\n') ? 1 : 0)
  const numbers = Array.from({ length: count }, (_, at) => first + at).join('\n')
  return (
    <Titled title={path === '' ? 'Text' : path} copy={text}>
      <div className={styles['file']} tabIndex={0} role="group" aria-label={inertString(`Text of ${path}`)}>
        <pre className={styles['numbers']} aria-hidden>
          {numbers}
        </pre>
        <pre className={styles['lines']}>
          <CodeText text={shown} language={/\w{1,32}$/.exec(path)?.[0]} />
        </pre>
      </div>
      <MoreButton left={left} onMore={showMore} />
    </Titled>
  )
}

/** Plain text, its first screen at first. */
function PlainText({
  title,
  text,
  bad = false,
}: {
  readonly title: string | null
  readonly text: string
  readonly bad?: boolean
}): ReactElement {
  const { text: shown, left, showMore } = useRoom(text)
  return (
    <Titled title={title} copy={text}>
      <pre
        className={classNames(styles['text'], bad && styles['bad'])}
        tabIndex={0}
        role="group"
        aria-label={inertString(title ?? 'Text')}
      >
        <InertText text={shown} />
      </pre>
      <MoreButton left={left} onMore={showMore} />
    </Titled>
  )
}

const start = { lines: 80, characters: 8000 }

/** A text in Markdown, its first screens at first. */
function LongMarkdown({
  title,
  text,
}: {
  readonly title: string | null
  readonly text: string
}): ReactElement {
  const { text: shown, left, showMore } = useRoom(text, { start })
  return (
    <Titled title={title} copy={text}>
      <div className={styles['markdown']}>
        <Markdown text={shown} />
      </div>
      <MoreButton left={left} onMore={showMore} />
    </Titled>
  )
}

const signs: Readonly<Record<Todo['status'], readonly [icon: LucideIcon, words: string]>> = {
  pending: [Circle, 'To do'],
  'in-progress': [CircleDot, 'In progress'],
  completed: [CircleCheck, 'Done'],
  cancelled: [CircleSlash, 'Cancelled'],
}

/** A plan, line by line. */
const TodoList = ({ todos }: { readonly todos: readonly Todo[] }): ReactElement => (
  <ol className={styles['todos']}>
    {todos.map(({ text, status }, at) => {
      const [Icon, words] = signs[status]
      return (
        <li key={at} className={classNames(styles['todo'], styles[status])}>
          <Icon size={16} aria-hidden />
          <span>
            <span className="unseen">{`${words}: `}</span>
            <InertText text={text} />
          </span>
        </li>
      )
    })}
  </ol>
)

/** A part of a card with its title, and a button that copies it. */
const Titled = ({
  title,
  copy,
  children,
}: {
  readonly title: string | null
  readonly copy?: string | (() => string)
  readonly children: ReactNode
}): ReactElement => (
  <div className={styles['titled']}>
    {title !== null && (
      <div className={styles['title']}>
        <InertText text={title} />
        {copy !== undefined && copy !== '' && (
          <CopyButton text={copy} label={inertString(`Copy ${title.toLowerCase()}`)} />
        )}
      </div>
    )}
    {children}
  </div>
)
