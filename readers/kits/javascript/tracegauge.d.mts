/** What a record's member may be. Members that are undefined are left out. */
export type Value =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | ArrayBufferView
  | readonly Value[]
  | ReadonlySet<Value>
  | ReadonlyMap<Value, Value>
  | { readonly [name: string]: Value };

/** One record: `record` names its kind. */
export interface TraceRecord {
  readonly record: string;
  readonly [member: string]: Value;
}

/** The class of a fault. */
export type FaultClass = 'malformed' | 'incomplete' | 'unsupported';

/** How a reader says no. */
export class Rejection extends Error {
  /** `why` is a text or the reader's own error; `class` and `offset` where known. */
  constructor(why: unknown, details?: { class?: FaultClass; offset?: number | bigint });
  /** The reader says that it does not read this feature, rather than that it is wrong. */
  static unsupported(feature: unknown): Rejection;
}

/** Takes the records of one case, in the order in which the reader reports them. */
export interface Reporter {
  /** The format that the case is in, by its name in tracegauge. */
  readonly format: string;
  /** Reports one record. */
  record(record: TraceRecord): void;
}

/** A value as JSON, as the protocol wants it. */
export function canonical(value: Value): string;

/** Runs the program. `reports` is 'verdict' for a reader that cannot tell what it read. */
export function run(adapter: {
  name: string;
  version: string;
  reports?: 'records' | 'verdict';
  read(bytes: Buffer, reporter: Reporter): void | Promise<void>;
}): Promise<void>;
