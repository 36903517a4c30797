/**
 * The display name of a model; its id if the provider no longer lists it.
 */
import type { ModelRef } from '../../ipc/bindings';
import { isSameModel } from './modelRef';
import { useModels } from '../queries/queries';

export function useModelName(): (model: ModelRef) => string {
  const { data: models = [] } = useModels();
  return (model) => models.find((known) => isSameModel(known.model, model))?.name ?? model.model;
}
