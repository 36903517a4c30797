/**
 * What a model is called. One that is offered no longer has no other name than its id.
 */
import type { ModelRef } from '../../ipc/bindings';
import { isSameModel } from './modelRef';
import { useModels } from '../queries/queries';

export function useModelName(): (model: ModelRef) => string {
  const { data: models = [] } = useModels();
  return (model) => models.find((known) => isSameModel(known.model, model))?.name ?? model.model;
}
