import type { RenderedObject } from '../package.ts';
import type { ChartObject } from './chart-object.ts';
import type { TaskMoment, TaskUse } from './placement-rules.ts';

/** One object of a chart and its place in the life of the service. */
export interface PlacedObject extends Pick<RenderedObject, 'role' | 'phases' | 'because'> {
  readonly chartObject: ChartObject;
  /** Its place among all: what is made, or run, first has the lowest. No two have the same. */
  readonly order: number;
  /** Of tasks that change software: whether they run before it or when it is ready. */
  readonly moment?: TaskMoment;
  /** What `lifecycle.yaml` would name it as. */
  readonly use?: TaskUse;
  /** The component that lists its file, where the chart brings a `lifecycle.yaml`. */
  readonly component?: string;
}

/** An object without a place, and why; it is never applied. */
export interface UnplacedObject {
  readonly chartObject: ChartObject;
  readonly because: string;
}

/** All objects of a chart, each in one of the lists; an object whose file several components list is placed once for each. */
export interface PlacedChart {
  /** In order. */
  readonly placed: readonly PlacedObject[];
  readonly unplaced: readonly UnplacedObject[];
}

/** A placement before it has its place in the order. */
export type PlaceDraft = Omit<PlacedObject, 'order'>;
