/**
 * The shape of every built-in kind, one type a line: name, `!` where the whole object has one owner, then its fields. Made from
 * the OpenAPI of Kubernetes v1.36.3 by scripts/kubernetes/write-builtin-shapes.ts, never by hand.
 *
 * `s` text, `i` whole number, `n` number, `b` true or false, `t` date and time, `x` whole number or text, `q` quantity,
 * `?` anything (`!?` with one owner), `@name` another type, `{s}` a map (`!{s}` with one owner), `s[]` a list with one
 * owner, `s[*]` a set, `@name[a,b]` a list whose items are told apart by those fields, `=value` a default.
 */
export const builtinShapes = `
apiextensions.v1.CustomResourceColumnDefinition description:s format:s jsonPath:s name:s priority:i type:s
apiextensions.v1.CustomResourceConversion strategy:s webhook:@apiextensions.v1.WebhookConversion
apiextensions.v1.CustomResourceDefinition apiVersion:s kind:s metadata:@meta.v1.ObjectMeta spec:@apiextensions.v1.CustomResourceDefinitionSpec status:@apiextensions.v1.CustomResourceDefinitionStatus
apiextensions.v1.CustomResourceDefinitionCondition lastTransitionTime:t message:s observedGeneration:i reason:s status:s type:s
apiextensions.v1.CustomResourceDefinitionNames categories:s[] kind:s listKind:s plural:s shortNames:s[] singular:s
apiextensions.v1.CustomResourceDefinitionSpec conversion:@apiextensions.v1.CustomResourceConversion={"strategy":"None"} group:s names:@apiextensions.v1.CustomResourceDefinitionNames preserveUnknownFields:b scope:s versions:@apiextensions.v1.CustomResourceDefinitionVersion[]
apiextensions.v1.CustomResourceDefinitionStatus acceptedNames:@apiextensions.v1.CustomResourceDefinitionNames conditions:@apiextensions.v1.CustomResourceDefinitionCondition[type] observedGeneration:i storedVersions:s[]
apiextensions.v1.CustomResourceDefinitionVersion additionalPrinterColumns:@apiextensions.v1.CustomResourceColumnDefinition[] deprecated:b deprecationWarning:s name:s schema:@apiextensions.v1.CustomResourceValidation selectableFields:@apiextensions.v1.SelectableField[] served:b storage:b subresources:@apiextensions.v1.CustomResourceSubresources
apiextensions.v1.CustomResourceSubresourceScale labelSelectorPath:s specReplicasPath:s statusReplicasPath:s
apiextensions.v1.CustomResourceSubresources scale:@apiextensions.v1.CustomResourceSubresourceScale status:?
apiextensions.v1.CustomResourceValidation openAPIV3Schema:!?
apiextensions.v1.SelectableField jsonPath:s
apiextensions.v1.ServiceReference name:s namespace:s path:s port:i
apiextensions.v1.WebhookClientConfig caBundle:s service:@apiextensions.v1.ServiceReference url:s
apiextensions.v1.WebhookConversion clientConfig:@apiextensions.v1.WebhookClientConfig conversionReviewVersions:s[]
apps.v1.ControllerRevision apiVersion:s data:? kind:s metadata:@meta.v1.ObjectMeta revision:i
apps.v1.DaemonSet apiVersion:s kind:s metadata:@meta.v1.ObjectMeta spec:@apps.v1.DaemonSetSpec status:@apps.v1.DaemonSetStatus
apps.v1.DaemonSetCondition lastTransitionTime:t message:s reason:s status:s type:s
apps.v1.DaemonSetSpec minReadySeconds:i revisionHistoryLimit:i=10 selector:@meta.v1.LabelSelector template:@core.v1.PodTemplateSpec updateStrategy:@apps.v1.DaemonSetUpdateStrategy={"type":"RollingUpdate","rollingUpdate":{"maxSurge":0,"maxUnavailable":1}}
apps.v1.DaemonSetStatus collisionCount:i conditions:@apps.v1.DaemonSetCondition[type] currentNumberScheduled:i desiredNumberScheduled:i numberAvailable:i numberMisscheduled:i numberReady:i numberUnavailable:i observedGeneration:i updatedNumberScheduled:i
apps.v1.DaemonSetUpdateStrategy rollingUpdate:@apps.v1.RollingUpdateDaemonSet type:s
apps.v1.Deployment apiVersion:s kind:s metadata:@meta.v1.ObjectMeta spec:@apps.v1.DeploymentSpec status:@apps.v1.DeploymentStatus
apps.v1.DeploymentCondition lastTransitionTime:t lastUpdateTime:t message:s reason:s status:s type:s
apps.v1.DeploymentSpec minReadySeconds:i paused:b progressDeadlineSeconds:i=600 replicas:i=1 revisionHistoryLimit:i=10 selector:@meta.v1.LabelSelector strategy:@apps.v1.DeploymentStrategy={"type":"RollingUpdate","rollingUpdate":{"maxSurge":"25%","maxUnavailable":"25%"}} template:@core.v1.PodTemplateSpec
apps.v1.DeploymentStatus availableReplicas:i collisionCount:i conditions:@apps.v1.DeploymentCondition[type] observedGeneration:i readyReplicas:i replicas:i terminatingReplicas:i unavailableReplicas:i updatedReplicas:i
apps.v1.DeploymentStrategy rollingUpdate:@apps.v1.RollingUpdateDeployment type:s
apps.v1.ReplicaSet apiVersion:s kind:s metadata:@meta.v1.ObjectMeta spec:@apps.v1.ReplicaSetSpec status:@apps.v1.ReplicaSetStatus
apps.v1.ReplicaSetCondition lastTransitionTime:t message:s reason:s status:s type:s
apps.v1.ReplicaSetSpec minReadySeconds:i replicas:i=1 selector:@meta.v1.LabelSelector template:@core.v1.PodTemplateSpec
apps.v1.ReplicaSetStatus availableReplicas:i conditions:@apps.v1.ReplicaSetCondition[type] fullyLabeledReplicas:i observedGeneration:i readyReplicas:i replicas:i terminatingReplicas:i
apps.v1.RollingUpdateDaemonSet maxSurge:x maxUnavailable:x
apps.v1.RollingUpdateDeployment maxSurge:x maxUnavailable:x
apps.v1.RollingUpdateStatefulSetStrategy maxUnavailable:x partition:i
apps.v1.StatefulSet apiVersion:s kind:s metadata:@meta.v1.ObjectMeta spec:@apps.v1.StatefulSetSpec status:@apps.v1.StatefulSetStatus
apps.v1.StatefulSetCondition lastTransitionTime:t message:s reason:s status:s type:s
apps.v1.StatefulSetOrdinals start:i
apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted:s whenScaled:s
apps.v1.StatefulSetSpec minReadySeconds:i ordinals:@apps.v1.StatefulSetOrdinals persistentVolumeClaimRetentionPolicy:@apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy={"whenDeleted":"Retain","whenScaled":"Retain"} podManagementPolicy:s="OrderedReady" replicas:i=1 revisionHistoryLimit:i=10 selector:@meta.v1.LabelSelector serviceName:s template:@core.v1.PodTemplateSpec updateStrategy:@apps.v1.StatefulSetUpdateStrategy={"type":"RollingUpdate","rollingUpdate":{"partition":0}} volumeClaimTemplates:@core.v1.PersistentVolumeClaim[]
apps.v1.StatefulSetStatus availableReplicas:i collisionCount:i conditions:@apps.v1.StatefulSetCondition[type] currentReplicas:i currentRevision:s observedGeneration:i readyReplicas:i replicas:i updateRevision:s updatedReplicas:i
apps.v1.StatefulSetUpdateStrategy rollingUpdate:@apps.v1.RollingUpdateStatefulSetStrategy type:s
batch.v1.CronJob apiVersion:s kind:s metadata:@meta.v1.ObjectMeta spec:@batch.v1.CronJobSpec status:@batch.v1.CronJobStatus
batch.v1.CronJobSpec concurrencyPolicy:s="Allow" failedJobsHistoryLimit:i=1 jobTemplate:@batch.v1.JobTemplateSpec schedule:s startingDeadlineSeconds:i successfulJobsHistoryLimit:i=3 suspend:b=false timeZone:s
batch.v1.CronJobStatus active:@core.v1.ObjectReference[] lastScheduleTime:t lastSuccessfulTime:t
batch.v1.Job apiVersion:s kind:s metadata:@meta.v1.ObjectMeta spec:@batch.v1.JobSpec status:@batch.v1.JobStatus
batch.v1.JobCondition lastProbeTime:t lastTransitionTime:t message:s reason:s status:s type:s
batch.v1.JobSpec activeDeadlineSeconds:i backoffLimit:i=6 backoffLimitPerIndex:i completionMode:s="NonIndexed" completions:i managedBy:s manualSelector:b=false maxFailedIndexes:i parallelism:i=1 podFailurePolicy:@batch.v1.PodFailurePolicy podReplacementPolicy:s="TerminatingOrFailed" selector:@meta.v1.LabelSelector successPolicy:@batch.v1.SuccessPolicy suspend:b=false template:@core.v1.PodTemplateSpec ttlSecondsAfterFinished:i
batch.v1.JobStatus active:i completedIndexes:s completionTime:t conditions:@batch.v1.JobCondition[] failed:i failedIndexes:s ready:i startTime:t succeeded:i terminating:i uncountedTerminatedPods:@batch.v1.UncountedTerminatedPods
batch.v1.JobTemplateSpec metadata:@meta.v1.ObjectMeta spec:@batch.v1.JobSpec
batch.v1.PodFailurePolicy rules:@batch.v1.PodFailurePolicyRule[]
batch.v1.PodFailurePolicyOnExitCodesRequirement containerName:s operator:s values:i[*]
batch.v1.PodFailurePolicyOnPodConditionsPattern status:s type:s
batch.v1.PodFailurePolicyRule action:s onExitCodes:@batch.v1.PodFailurePolicyOnExitCodesRequirement onPodConditions:@batch.v1.PodFailurePolicyOnPodConditionsPattern[]
batch.v1.SuccessPolicy rules:@batch.v1.SuccessPolicyRule[]
batch.v1.SuccessPolicyRule succeededCount:i succeededIndexes:s
batch.v1.UncountedTerminatedPods failed:s[*] succeeded:s[*]
coordination.v1.Lease apiVersion:s kind:s metadata:@meta.v1.ObjectMeta spec:@coordination.v1.LeaseSpec
coordination.v1.LeaseSpec acquireTime:t holderIdentity:s leaseDurationSeconds:i leaseTransitions:i preferredHolder:s renewTime:t strategy:s
core.v1.AWSElasticBlockStoreVolumeSource fsType:s partition:i readOnly:b volumeID:s
core.v1.Affinity nodeAffinity:@core.v1.NodeAffinity podAffinity:@core.v1.PodAffinity podAntiAffinity:@core.v1.PodAntiAffinity
core.v1.AppArmorProfile localhostProfile:s type:s
core.v1.AttachedVolume devicePath:s name:s
core.v1.AzureDiskVolumeSource cachingMode:s diskName:s diskURI:s fsType:s kind:s readOnly:b
core.v1.AzureFilePersistentVolumeSource readOnly:b secretName:s secretNamespace:s shareName:s
core.v1.AzureFileVolumeSource readOnly:b secretName:s shareName:s
core.v1.CSIPersistentVolumeSource controllerExpandSecretRef:@core.v1.SecretReference controllerPublishSecretRef:@core.v1.SecretReference driver:s fsType:s nodeExpandSecretRef:@core.v1.SecretReference nodePublishSecretRef:@core.v1.SecretReference nodeStageSecretRef:@core.v1.SecretReference readOnly:b volumeAttributes:{s} volumeHandle:s
core.v1.CSIVolumeSource driver:s fsType:s nodePublishSecretRef:@core.v1.LocalObjectReference readOnly:b volumeAttributes:{s}
core.v1.Capabilities add:s[] drop:s[]
core.v1.CephFSPersistentVolumeSource monitors:s[] path:s readOnly:b secretFile:s secretRef:@core.v1.SecretReference user:s
core.v1.CephFSVolumeSource monitors:s[] path:s readOnly:b secretFile:s secretRef:@core.v1.LocalObjectReference user:s
core.v1.CinderPersistentVolumeSource fsType:s readOnly:b secretRef:@core.v1.SecretReference volumeID:s
core.v1.CinderVolumeSource fsType:s readOnly:b secretRef:@core.v1.LocalObjectReference volumeID:s
core.v1.ClientIPConfig timeoutSeconds:i
core.v1.ClusterTrustBundleProjection labelSelector:@meta.v1.LabelSelector name:s optional:b path:s signerName:s
core.v1.ConfigMap apiVersion:s binaryData:{s} data:{s} immutable:b kind:s metadata:@meta.v1.ObjectMeta
core.v1.ConfigMapEnvSource name:s optional:b
core.v1.ConfigMapKeySelector ! key:s name:s optional:b
core.v1.ConfigMapNodeConfigSource kubeletConfigKey:s name:s namespace:s resourceVersion:s uid:s
core.v1.ConfigMapProjection items:@core.v1.KeyToPath[] name:s optional:b
core.v1.ConfigMapVolumeSource defaultMode:i=420 items:@core.v1.KeyToPath[] name:s optional:b
core.v1.Container args:s[] command:s[] env:@core.v1.EnvVar[name] envFrom:@core.v1.EnvFromSource[] image:s imagePullPolicy:s lifecycle:@core.v1.Lifecycle livenessProbe:@core.v1.Probe name:s ports:@core.v1.ContainerPort[containerPort,protocol] readinessProbe:@core.v1.Probe resizePolicy:@core.v1.ContainerResizePolicy[] resources:@core.v1.ResourceRequirements={} restartPolicy:s restartPolicyRules:@core.v1.ContainerRestartRule[] securityContext:@core.v1.SecurityContext startupProbe:@core.v1.Probe stdin:b stdinOnce:b terminationMessagePath:s="/dev/termination-log" terminationMessagePolicy:s="File" tty:b volumeDevices:@core.v1.VolumeDevice[devicePath] volumeMounts:@core.v1.VolumeMount[mountPath] workingDir:s
core.v1.ContainerExtendedResourceRequest containerName:s requestName:s resourceName:s
core.v1.ContainerImage names:s[] sizeBytes:i
core.v1.ContainerPort containerPort:i hostIP:s hostPort:i name:s protocol:s="TCP"
core.v1.ContainerResizePolicy resourceName:s restartPolicy:s
core.v1.ContainerRestartRule action:s exitCodes:@core.v1.ContainerRestartRuleOnExitCodes
core.v1.ContainerRestartRuleOnExitCodes operator:s values:i[*]
core.v1.ContainerState running:@core.v1.ContainerStateRunning terminated:@core.v1.ContainerStateTerminated waiting:@core.v1.ContainerStateWaiting
core.v1.ContainerStateRunning startedAt:t
core.v1.ContainerStateTerminated containerID:s exitCode:i finishedAt:t message:s reason:s signal:i startedAt:t
core.v1.ContainerStateWaiting message:s reason:s
core.v1.ContainerStatus allocatedResources:{q} allocatedResourcesStatus:@core.v1.ResourceStatus[name] containerID:s image:s imageID:s lastState:@core.v1.ContainerState name:s ready:b resources:@core.v1.ResourceRequirements restartCount:i started:b state:@core.v1.ContainerState stopSignal:s user:@core.v1.ContainerUser volumeMounts:@core.v1.VolumeMountStatus[mountPath]
core.v1.ContainerUser linux:@core.v1.LinuxContainerUser
core.v1.DaemonEndpoint Port:i
core.v1.DownwardAPIProjection items:@core.v1.DownwardAPIVolumeFile[]
core.v1.DownwardAPIVolumeFile fieldRef:@core.v1.ObjectFieldSelector mode:i path:s resourceFieldRef:@core.v1.ResourceFieldSelector
core.v1.DownwardAPIVolumeSource defaultMode:i=420 items:@core.v1.DownwardAPIVolumeFile[]
core.v1.EmptyDirVolumeSource medium:s sizeLimit:q
core.v1.EndpointAddress ! hostname:s ip:s nodeName:s targetRef:@core.v1.ObjectReference
core.v1.EndpointPort ! appProtocol:s name:s port:i protocol:s="TCP"
core.v1.EndpointSubset addresses:@core.v1.EndpointAddress[] notReadyAddresses:@core.v1.EndpointAddress[] ports:@core.v1.EndpointPort[]
core.v1.Endpoints apiVersion:s kind:s metadata:@meta.v1.ObjectMeta subsets:@core.v1.EndpointSubset[]
core.v1.EnvFromSource configMapRef:@core.v1.ConfigMapEnvSource prefix:s secretRef:@core.v1.SecretEnvSource
core.v1.EnvVar name:s value:s valueFrom:@core.v1.EnvVarSource
core.v1.EnvVarSource configMapKeyRef:@core.v1.ConfigMapKeySelector fieldRef:@core.v1.ObjectFieldSelector fileKeyRef:@core.v1.FileKeySelector resourceFieldRef:@core.v1.ResourceFieldSelector secretKeyRef:@core.v1.SecretKeySelector
core.v1.EphemeralContainer args:s[] command:s[] env:@core.v1.EnvVar[name] envFrom:@core.v1.EnvFromSource[] image:s imagePullPolicy:s lifecycle:@core.v1.Lifecycle livenessProbe:@core.v1.Probe name:s ports:@core.v1.ContainerPort[containerPort,protocol] readinessProbe:@core.v1.Probe resizePolicy:@core.v1.ContainerResizePolicy[] resources:@core.v1.ResourceRequirements restartPolicy:s restartPolicyRules:@core.v1.ContainerRestartRule[] securityContext:@core.v1.SecurityContext startupProbe:@core.v1.Probe stdin:b stdinOnce:b targetContainerName:s terminationMessagePath:s terminationMessagePolicy:s tty:b volumeDevices:@core.v1.VolumeDevice[devicePath] volumeMounts:@core.v1.VolumeMount[mountPath] workingDir:s
core.v1.EphemeralVolumeSource volumeClaimTemplate:@core.v1.PersistentVolumeClaimTemplate
core.v1.Event action:s apiVersion:s count:i eventTime:t firstTimestamp:t involvedObject:@core.v1.ObjectReference kind:s lastTimestamp:t message:s metadata:@meta.v1.ObjectMeta reason:s related:@core.v1.ObjectReference reportingComponent:s reportingInstance:s series:@core.v1.EventSeries source:@core.v1.EventSource type:s
core.v1.EventSeries count:i lastObservedTime:t
core.v1.EventSource component:s host:s
core.v1.ExecAction command:s[]
core.v1.FCVolumeSource fsType:s lun:i readOnly:b targetWWNs:s[] wwids:s[]
core.v1.FileKeySelector ! key:s optional:b path:s volumeName:s
core.v1.FlexPersistentVolumeSource driver:s fsType:s options:{s} readOnly:b secretRef:@core.v1.SecretReference
core.v1.FlexVolumeSource driver:s fsType:s options:{s} readOnly:b secretRef:@core.v1.LocalObjectReference
core.v1.FlockerVolumeSource datasetName:s datasetUUID:s
core.v1.GCEPersistentDiskVolumeSource fsType:s partition:i pdName:s readOnly:b
core.v1.GRPCAction port:i service:s
core.v1.GitRepoVolumeSource directory:s repository:s revision:s
core.v1.GlusterfsPersistentVolumeSource endpoints:s endpointsNamespace:s path:s readOnly:b
core.v1.GlusterfsVolumeSource endpoints:s path:s readOnly:b
core.v1.HTTPGetAction host:s httpHeaders:@core.v1.HTTPHeader[] path:s="/" port:x scheme:s="HTTP"
core.v1.HTTPHeader name:s value:s
core.v1.HostAlias hostnames:s[] ip:s
core.v1.HostIP ip:s
core.v1.HostPathVolumeSource path:s type:s=""
core.v1.ISCSIPersistentVolumeSource chapAuthDiscovery:b chapAuthSession:b fsType:s initiatorName:s iqn:s iscsiInterface:s lun:i portals:s[] readOnly:b secretRef:@core.v1.SecretReference targetPortal:s
core.v1.ISCSIVolumeSource chapAuthDiscovery:b chapAuthSession:b fsType:s initiatorName:s iqn:s iscsiInterface:s lun:i portals:s[] readOnly:b secretRef:@core.v1.LocalObjectReference targetPortal:s
core.v1.ImageVolumeSource pullPolicy:s reference:s
core.v1.ImageVolumeStatus imageRef:s
core.v1.KeyToPath key:s mode:i path:s
core.v1.Lifecycle postStart:@core.v1.LifecycleHandler preStop:@core.v1.LifecycleHandler stopSignal:s
core.v1.LifecycleHandler exec:@core.v1.ExecAction httpGet:@core.v1.HTTPGetAction sleep:@core.v1.SleepAction tcpSocket:@core.v1.TCPSocketAction
core.v1.LinuxContainerUser gid:i supplementalGroups:i[] uid:i
core.v1.LoadBalancerIngress hostname:s ip:s ipMode:s ports:@core.v1.PortStatus[]
core.v1.LoadBalancerStatus ingress:@core.v1.LoadBalancerIngress[]
core.v1.LocalObjectReference ! name:s
core.v1.LocalVolumeSource fsType:s path:s
core.v1.ModifyVolumeStatus status:s targetVolumeAttributesClassName:s
core.v1.NFSVolumeSource path:s readOnly:b server:s
core.v1.Namespace apiVersion:s kind:s metadata:@meta.v1.ObjectMeta spec:@core.v1.NamespaceSpec status:@core.v1.NamespaceStatus
core.v1.NamespaceCondition lastTransitionTime:t message:s reason:s status:s type:s
core.v1.NamespaceSpec finalizers:s[]
core.v1.NamespaceStatus conditions:@core.v1.NamespaceCondition[type] phase:s
core.v1.Node apiVersion:s kind:s metadata:@meta.v1.ObjectMeta spec:@core.v1.NodeSpec status:@core.v1.NodeStatus
core.v1.NodeAddress address:s type:s
core.v1.NodeAffinity preferredDuringSchedulingIgnoredDuringExecution:@core.v1.PreferredSchedulingTerm[] requiredDuringSchedulingIgnoredDuringExecution:@core.v1.NodeSelector
core.v1.NodeAllocatableResourceClaimStatus containers:s[*] resourceClaimName:s resources:{q}
core.v1.NodeCondition lastHeartbeatTime:t lastTransitionTime:t message:s reason:s status:s type:s
core.v1.NodeConfigSource configMap:@core.v1.ConfigMapNodeConfigSource
core.v1.NodeConfigStatus active:@core.v1.NodeConfigSource assigned:@core.v1.NodeConfigSource error:s lastKnownGood:@core.v1.NodeConfigSource
core.v1.NodeDaemonEndpoints kubeletEndpoint:@core.v1.DaemonEndpoint
core.v1.NodeFeatures supplementalGroupsPolicy:b
core.v1.NodeRuntimeHandler features:@core.v1.NodeRuntimeHandlerFeatures name:s
core.v1.NodeRuntimeHandlerFeatures recursiveReadOnlyMounts:b userNamespaces:b
core.v1.NodeSelector ! nodeSelectorTerms:@core.v1.NodeSelectorTerm[]
core.v1.NodeSelectorRequirement key:s operator:s values:s[]
core.v1.NodeSelectorTerm ! matchExpressions:@core.v1.NodeSelectorRequirement[] matchFields:@core.v1.NodeSelectorRequirement[]
core.v1.NodeSpec configSource:@core.v1.NodeConfigSource externalID:s podCIDR:s podCIDRs:s[*] providerID:s taints:@core.v1.Taint[] unschedulable:b
core.v1.NodeStatus addresses:@core.v1.NodeAddress[type] allocatable:{q} capacity:{q} conditions:@core.v1.NodeCondition[type] config:@core.v1.NodeConfigStatus daemonEndpoints:@core.v1.NodeDaemonEndpoints declaredFeatures:s[] features:@core.v1.NodeFeatures images:@core.v1.ContainerImage[] nodeInfo:@core.v1.NodeSystemInfo phase:s runtimeHandlers:@core.v1.NodeRuntimeHandler[] volumesAttached:@core.v1.AttachedVolume[] volumesInUse:s[]
core.v1.NodeSwapStatus capacity:i
core.v1.NodeSystemInfo architecture:s bootID:s containerRuntimeVersion:s kernelVersion:s kubeProxyVersion:s kubeletVersion:s machineID:s operatingSystem:s osImage:s swap:@core.v1.NodeSwapStatus systemUUID:s
core.v1.ObjectFieldSelector ! apiVersion:s="v1" fieldPath:s
core.v1.ObjectReference ! apiVersion:s fieldPath:s kind:s name:s namespace:s resourceVersion:s uid:s
core.v1.PersistentVolume apiVersion:s kind:s metadata:@meta.v1.ObjectMeta spec:@core.v1.PersistentVolumeSpec status:@core.v1.PersistentVolumeStatus
core.v1.PersistentVolumeClaim apiVersion:s kind:s metadata:@meta.v1.ObjectMeta spec:@core.v1.PersistentVolumeClaimSpec status:@core.v1.PersistentVolumeClaimStatus
core.v1.PersistentVolumeClaimCondition lastProbeTime:t lastTransitionTime:t message:s reason:s status:s type:s
core.v1.PersistentVolumeClaimSpec accessModes:s[] dataSource:@core.v1.TypedLocalObjectReference dataSourceRef:@core.v1.TypedObjectReference resources:@core.v1.VolumeResourceRequirements selector:@meta.v1.LabelSelector storageClassName:s volumeAttributesClassName:s volumeMode:s="Filesystem" volumeName:s
core.v1.PersistentVolumeClaimStatus accessModes:s[] allocatedResourceStatuses:{s} allocatedResources:{q} capacity:{q} conditions:@core.v1.PersistentVolumeClaimCondition[type] currentVolumeAttributesClassName:s modifyVolumeStatus:@core.v1.ModifyVolumeStatus phase:s
core.v1.PersistentVolumeClaimTemplate metadata:@meta.v1.ObjectMeta spec:@core.v1.PersistentVolumeClaimSpec
core.v1.PersistentVolumeClaimVolumeSource claimName:s readOnly:b
core.v1.PersistentVolumeSpec accessModes:s[] awsElasticBlockStore:@core.v1.AWSElasticBlockStoreVolumeSource azureDisk:@core.v1.AzureDiskVolumeSource azureFile:@core.v1.AzureFilePersistentVolumeSource capacity:{q} cephfs:@core.v1.CephFSPersistentVolumeSource cinder:@core.v1.CinderPersistentVolumeSource claimRef:@core.v1.ObjectReference csi:@core.v1.CSIPersistentVolumeSource fc:@core.v1.FCVolumeSource flexVolume:@core.v1.FlexPersistentVolumeSource flocker:@core.v1.FlockerVolumeSource gcePersistentDisk:@core.v1.GCEPersistentDiskVolumeSource glusterfs:@core.v1.GlusterfsPersistentVolumeSource hostPath:@core.v1.HostPathVolumeSource iscsi:@core.v1.ISCSIPersistentVolumeSource local:@core.v1.LocalVolumeSource mountOptions:s[] nfs:@core.v1.NFSVolumeSource nodeAffinity:@core.v1.VolumeNodeAffinity persistentVolumeReclaimPolicy:s="Retain" photonPersistentDisk:@core.v1.PhotonPersistentDiskVolumeSource portworxVolume:@core.v1.PortworxVolumeSource quobyte:@core.v1.QuobyteVolumeSource rbd:@core.v1.RBDPersistentVolumeSource scaleIO:@core.v1.ScaleIOPersistentVolumeSource storageClassName:s storageos:@core.v1.StorageOSPersistentVolumeSource volumeAttributesClassName:s volumeMode:s="Filesystem" vsphereVolume:@core.v1.VsphereVirtualDiskVolumeSource
core.v1.PersistentVolumeStatus lastPhaseTransitionTime:t message:s phase:s reason:s
core.v1.PhotonPersistentDiskVolumeSource fsType:s pdID:s
core.v1.Pod apiVersion:s kind:s metadata:@meta.v1.ObjectMeta spec:@core.v1.PodSpec status:@core.v1.PodStatus
core.v1.PodAffinity preferredDuringSchedulingIgnoredDuringExecution:@core.v1.WeightedPodAffinityTerm[] requiredDuringSchedulingIgnoredDuringExecution:@core.v1.PodAffinityTerm[]
core.v1.PodAffinityTerm labelSelector:@meta.v1.LabelSelector matchLabelKeys:s[] mismatchLabelKeys:s[] namespaceSelector:@meta.v1.LabelSelector namespaces:s[] topologyKey:s
core.v1.PodAntiAffinity preferredDuringSchedulingIgnoredDuringExecution:@core.v1.WeightedPodAffinityTerm[] requiredDuringSchedulingIgnoredDuringExecution:@core.v1.PodAffinityTerm[]
core.v1.PodCertificateProjection certificateChainPath:s credentialBundlePath:s keyPath:s keyType:s maxExpirationSeconds:i signerName:s userAnnotations:{s}
core.v1.PodCondition lastProbeTime:t lastTransitionTime:t message:s observedGeneration:i reason:s status:s type:s
core.v1.PodDNSConfig nameservers:s[] options:@core.v1.PodDNSConfigOption[] searches:s[]
core.v1.PodDNSConfigOption name:s value:s
core.v1.PodExtendedResourceClaimStatus requestMappings:@core.v1.ContainerExtendedResourceRequest[] resourceClaimName:s
core.v1.PodIP ip:s
core.v1.PodOS name:s
core.v1.PodReadinessGate conditionType:s
core.v1.PodResourceClaim name:s resourceClaimName:s resourceClaimTemplateName:s
core.v1.PodResourceClaimStatus name:s resourceClaimName:s
core.v1.PodSchedulingGate name:s
core.v1.PodSchedulingGroup podGroupName:s
core.v1.PodSecurityContext appArmorProfile:@core.v1.AppArmorProfile fsGroup:i fsGroupChangePolicy:s runAsGroup:i runAsNonRoot:b runAsUser:i seLinuxChangePolicy:s seLinuxOptions:@core.v1.SELinuxOptions seccompProfile:@core.v1.SeccompProfile supplementalGroups:i[] supplementalGroupsPolicy:s sysctls:@core.v1.Sysctl[] windowsOptions:@core.v1.WindowsSecurityContextOptions
core.v1.PodSpec activeDeadlineSeconds:i affinity:@core.v1.Affinity automountServiceAccountToken:b containers:@core.v1.Container[name] dnsConfig:@core.v1.PodDNSConfig dnsPolicy:s="ClusterFirst" enableServiceLinks:b ephemeralContainers:@core.v1.EphemeralContainer[name] hostAliases:@core.v1.HostAlias[ip] hostIPC:b hostNetwork:b hostPID:b hostUsers:b hostname:s hostnameOverride:s imagePullSecrets:@core.v1.LocalObjectReference[name] initContainers:@core.v1.Container[name] nodeName:s nodeSelector:!{s} os:@core.v1.PodOS overhead:{q} preemptionPolicy:s priority:i priorityClassName:s readinessGates:@core.v1.PodReadinessGate[] resourceClaims:@core.v1.PodResourceClaim[name] resources:@core.v1.ResourceRequirements restartPolicy:s="Always" runtimeClassName:s schedulerName:s="default-scheduler" schedulingGates:@core.v1.PodSchedulingGate[name] schedulingGroup:@core.v1.PodSchedulingGroup securityContext:@core.v1.PodSecurityContext={} serviceAccount:s serviceAccountName:s setHostnameAsFQDN:b shareProcessNamespace:b subdomain:s terminationGracePeriodSeconds:i=30 tolerations:@core.v1.Toleration[] topologySpreadConstraints:@core.v1.TopologySpreadConstraint[topologyKey,whenUnsatisfiable] volumes:@core.v1.Volume[name]
core.v1.PodStatus allocatedResources:{q} conditions:@core.v1.PodCondition[type] containerStatuses:@core.v1.ContainerStatus[] ephemeralContainerStatuses:@core.v1.ContainerStatus[] extendedResourceClaimStatus:@core.v1.PodExtendedResourceClaimStatus hostIP:s hostIPs:@core.v1.HostIP[] initContainerStatuses:@core.v1.ContainerStatus[] message:s nodeAllocatableResourceClaimStatuses:@core.v1.NodeAllocatableResourceClaimStatus[] nominatedNodeName:s observedGeneration:i phase:s podIP:s podIPs:@core.v1.PodIP[ip] qosClass:s reason:s resize:s resourceClaimStatuses:@core.v1.PodResourceClaimStatus[name] resources:@core.v1.ResourceRequirements startTime:t
core.v1.PodTemplateSpec metadata:@meta.v1.ObjectMeta spec:@core.v1.PodSpec
core.v1.PortStatus error:s port:i protocol:s
core.v1.PortworxVolumeSource fsType:s readOnly:b volumeID:s
core.v1.PreferredSchedulingTerm preference:@core.v1.NodeSelectorTerm weight:i
core.v1.Probe exec:@core.v1.ExecAction failureThreshold:i=3 grpc:@core.v1.GRPCAction httpGet:@core.v1.HTTPGetAction initialDelaySeconds:i periodSeconds:i=10 successThreshold:i=1 tcpSocket:@core.v1.TCPSocketAction terminationGracePeriodSeconds:i timeoutSeconds:i=1
core.v1.ProjectedVolumeSource defaultMode:i=420 sources:@core.v1.VolumeProjection[]
core.v1.QuobyteVolumeSource group:s readOnly:b registry:s tenant:s user:s volume:s
core.v1.RBDPersistentVolumeSource fsType:s image:s keyring:s monitors:s[] pool:s readOnly:b secretRef:@core.v1.SecretReference user:s
core.v1.RBDVolumeSource fsType:s image:s keyring:s monitors:s[] pool:s readOnly:b secretRef:@core.v1.LocalObjectReference user:s
core.v1.ResourceClaim name:s request:s
core.v1.ResourceFieldSelector ! containerName:s divisor:q resource:s
core.v1.ResourceHealth health:s message:s resourceID:s
core.v1.ResourceRequirements claims:@core.v1.ResourceClaim[name] limits:{q} requests:{q}
core.v1.ResourceStatus name:s resources:@core.v1.ResourceHealth[resourceID]
core.v1.SELinuxOptions level:s role:s type:s user:s
core.v1.ScaleIOPersistentVolumeSource fsType:s gateway:s protectionDomain:s readOnly:b secretRef:@core.v1.SecretReference sslEnabled:b storageMode:s storagePool:s system:s volumeName:s
core.v1.ScaleIOVolumeSource fsType:s gateway:s protectionDomain:s readOnly:b secretRef:@core.v1.LocalObjectReference sslEnabled:b storageMode:s storagePool:s system:s volumeName:s
core.v1.SeccompProfile localhostProfile:s type:s
core.v1.Secret apiVersion:s data:{s} immutable:b kind:s metadata:@meta.v1.ObjectMeta stringData:{s} type:s="Opaque"
core.v1.SecretEnvSource name:s optional:b
core.v1.SecretKeySelector ! key:s name:s optional:b
core.v1.SecretProjection items:@core.v1.KeyToPath[] name:s optional:b
core.v1.SecretReference ! name:s namespace:s
core.v1.SecretVolumeSource defaultMode:i=420 items:@core.v1.KeyToPath[] optional:b secretName:s
core.v1.SecurityContext allowPrivilegeEscalation:b appArmorProfile:@core.v1.AppArmorProfile capabilities:@core.v1.Capabilities privileged:b procMount:s readOnlyRootFilesystem:b runAsGroup:i runAsNonRoot:b runAsUser:i seLinuxOptions:@core.v1.SELinuxOptions seccompProfile:@core.v1.SeccompProfile windowsOptions:@core.v1.WindowsSecurityContextOptions
core.v1.Service apiVersion:s kind:s metadata:@meta.v1.ObjectMeta spec:@core.v1.ServiceSpec status:@core.v1.ServiceStatus
core.v1.ServiceAccount apiVersion:s automountServiceAccountToken:b imagePullSecrets:@core.v1.LocalObjectReference[] kind:s metadata:@meta.v1.ObjectMeta secrets:@core.v1.ObjectReference[name]
core.v1.ServiceAccountTokenProjection audience:s expirationSeconds:i path:s
core.v1.ServicePort appProtocol:s name:s nodePort:i port:i protocol:s="TCP" targetPort:x
core.v1.ServiceSpec allocateLoadBalancerNodePorts:b clusterIP:s clusterIPs:s[] externalIPs:s[] externalName:s externalTrafficPolicy:s healthCheckNodePort:i internalTrafficPolicy:s="Cluster" ipFamilies:s[] ipFamilyPolicy:s loadBalancerClass:s loadBalancerIP:s loadBalancerSourceRanges:s[] ports:@core.v1.ServicePort[port,protocol] publishNotReadyAddresses:b selector:!{s} sessionAffinity:s="None" sessionAffinityConfig:@core.v1.SessionAffinityConfig trafficDistribution:s type:s="ClusterIP"
core.v1.ServiceStatus conditions:@meta.v1.Condition[type] loadBalancer:@core.v1.LoadBalancerStatus
core.v1.SessionAffinityConfig clientIP:@core.v1.ClientIPConfig
core.v1.SleepAction seconds:i
core.v1.StorageOSPersistentVolumeSource fsType:s readOnly:b secretRef:@core.v1.ObjectReference volumeName:s volumeNamespace:s
core.v1.StorageOSVolumeSource fsType:s readOnly:b secretRef:@core.v1.LocalObjectReference volumeName:s volumeNamespace:s
core.v1.Sysctl name:s value:s
core.v1.TCPSocketAction host:s port:x
core.v1.Taint effect:s key:s timeAdded:t value:s
core.v1.Toleration effect:s key:s operator:s tolerationSeconds:i value:s
core.v1.TopologySelectorLabelRequirement key:s values:s[]
core.v1.TopologySelectorTerm ! matchLabelExpressions:@core.v1.TopologySelectorLabelRequirement[]
core.v1.TopologySpreadConstraint labelSelector:@meta.v1.LabelSelector matchLabelKeys:s[] maxSkew:i minDomains:i nodeAffinityPolicy:s nodeTaintsPolicy:s topologyKey:s whenUnsatisfiable:s
core.v1.TypedLocalObjectReference ! apiGroup:s kind:s name:s
core.v1.TypedObjectReference apiGroup:s kind:s name:s namespace:s
core.v1.Volume awsElasticBlockStore:@core.v1.AWSElasticBlockStoreVolumeSource azureDisk:@core.v1.AzureDiskVolumeSource azureFile:@core.v1.AzureFileVolumeSource cephfs:@core.v1.CephFSVolumeSource cinder:@core.v1.CinderVolumeSource configMap:@core.v1.ConfigMapVolumeSource csi:@core.v1.CSIVolumeSource downwardAPI:@core.v1.DownwardAPIVolumeSource emptyDir:@core.v1.EmptyDirVolumeSource ephemeral:@core.v1.EphemeralVolumeSource fc:@core.v1.FCVolumeSource flexVolume:@core.v1.FlexVolumeSource flocker:@core.v1.FlockerVolumeSource gcePersistentDisk:@core.v1.GCEPersistentDiskVolumeSource gitRepo:@core.v1.GitRepoVolumeSource glusterfs:@core.v1.GlusterfsVolumeSource hostPath:@core.v1.HostPathVolumeSource image:@core.v1.ImageVolumeSource iscsi:@core.v1.ISCSIVolumeSource name:s nfs:@core.v1.NFSVolumeSource persistentVolumeClaim:@core.v1.PersistentVolumeClaimVolumeSource photonPersistentDisk:@core.v1.PhotonPersistentDiskVolumeSource portworxVolume:@core.v1.PortworxVolumeSource projected:@core.v1.ProjectedVolumeSource quobyte:@core.v1.QuobyteVolumeSource rbd:@core.v1.RBDVolumeSource scaleIO:@core.v1.ScaleIOVolumeSource secret:@core.v1.SecretVolumeSource storageos:@core.v1.StorageOSVolumeSource vsphereVolume:@core.v1.VsphereVirtualDiskVolumeSource
core.v1.VolumeDevice devicePath:s name:s
core.v1.VolumeMount mountPath:s mountPropagation:s name:s readOnly:b recursiveReadOnly:s subPath:s subPathExpr:s
core.v1.VolumeMountStatus mountPath:s name:s readOnly:b recursiveReadOnly:s volumeStatus:@core.v1.VolumeStatus
core.v1.VolumeNodeAffinity required:@core.v1.NodeSelector
core.v1.VolumeProjection clusterTrustBundle:@core.v1.ClusterTrustBundleProjection configMap:@core.v1.ConfigMapProjection downwardAPI:@core.v1.DownwardAPIProjection podCertificate:@core.v1.PodCertificateProjection secret:@core.v1.SecretProjection serviceAccountToken:@core.v1.ServiceAccountTokenProjection
core.v1.VolumeResourceRequirements limits:{q} requests:{q}
core.v1.VolumeStatus image:@core.v1.ImageVolumeStatus
core.v1.VsphereVirtualDiskVolumeSource fsType:s storagePolicyID:s storagePolicyName:s volumePath:s
core.v1.WeightedPodAffinityTerm podAffinityTerm:@core.v1.PodAffinityTerm weight:i
core.v1.WindowsSecurityContextOptions gmsaCredentialSpec:s gmsaCredentialSpecName:s hostProcess:b runAsUserName:s
discovery.v1.Endpoint addresses:s[*] conditions:@discovery.v1.EndpointConditions deprecatedTopology:{s} hints:@discovery.v1.EndpointHints hostname:s nodeName:s targetRef:@core.v1.ObjectReference zone:s
discovery.v1.EndpointConditions ready:b serving:b terminating:b
discovery.v1.EndpointHints forNodes:@discovery.v1.ForNode[] forZones:@discovery.v1.ForZone[]
discovery.v1.EndpointPort ! appProtocol:s name:s="" port:i protocol:s="TCP"
discovery.v1.EndpointSlice addressType:s apiVersion:s endpoints:@discovery.v1.Endpoint[] kind:s metadata:@meta.v1.ObjectMeta ports:@discovery.v1.EndpointPort[]
discovery.v1.ForNode name:s
discovery.v1.ForZone name:s
events.v1.Event action:s apiVersion:s deprecatedCount:i deprecatedFirstTimestamp:t deprecatedLastTimestamp:t deprecatedSource:@core.v1.EventSource eventTime:t kind:s metadata:@meta.v1.ObjectMeta note:s reason:s regarding:@core.v1.ObjectReference related:@core.v1.ObjectReference reportingController:s reportingInstance:s series:@events.v1.EventSeries type:s
events.v1.EventSeries count:i lastObservedTime:t
meta.v1.Condition lastTransitionTime:t message:s observedGeneration:i reason:s status:s type:s
meta.v1.LabelSelector ! matchExpressions:@meta.v1.LabelSelectorRequirement[] matchLabels:{s}
meta.v1.LabelSelectorRequirement key:s operator:s values:s[]
meta.v1.ManagedFieldsEntry apiVersion:s fieldsType:s fieldsV1:? manager:s operation:s subresource:s time:t
meta.v1.ObjectMeta annotations:{s} creationTimestamp:t deletionGracePeriodSeconds:i deletionTimestamp:t finalizers:s[*] generateName:s generation:i labels:{s} managedFields:@meta.v1.ManagedFieldsEntry[] name:s namespace:s ownerReferences:@meta.v1.OwnerReference[uid] resourceVersion:s selfLink:s uid:s
meta.v1.OwnerReference ! apiVersion:s blockOwnerDeletion:b controller:b kind:s name:s uid:s
networking.v1.HTTPIngressPath backend:@networking.v1.IngressBackend path:s pathType:s
networking.v1.HTTPIngressRuleValue paths:@networking.v1.HTTPIngressPath[]
networking.v1.IPBlock cidr:s except:s[]
networking.v1.Ingress apiVersion:s kind:s metadata:@meta.v1.ObjectMeta spec:@networking.v1.IngressSpec status:@networking.v1.IngressStatus
networking.v1.IngressBackend resource:@core.v1.TypedLocalObjectReference service:@networking.v1.IngressServiceBackend
networking.v1.IngressLoadBalancerIngress hostname:s ip:s ports:@networking.v1.IngressPortStatus[]
networking.v1.IngressLoadBalancerStatus ingress:@networking.v1.IngressLoadBalancerIngress[]
networking.v1.IngressPortStatus error:s port:i protocol:s
networking.v1.IngressRule host:s http:@networking.v1.HTTPIngressRuleValue
networking.v1.IngressServiceBackend name:s port:@networking.v1.ServiceBackendPort
networking.v1.IngressSpec defaultBackend:@networking.v1.IngressBackend ingressClassName:s rules:@networking.v1.IngressRule[] tls:@networking.v1.IngressTLS[]
networking.v1.IngressStatus loadBalancer:@networking.v1.IngressLoadBalancerStatus
networking.v1.IngressTLS hosts:s[] secretName:s
networking.v1.NetworkPolicy apiVersion:s kind:s metadata:@meta.v1.ObjectMeta spec:@networking.v1.NetworkPolicySpec
networking.v1.NetworkPolicyEgressRule ports:@networking.v1.NetworkPolicyPort[] to:@networking.v1.NetworkPolicyPeer[]
networking.v1.NetworkPolicyIngressRule from:@networking.v1.NetworkPolicyPeer[] ports:@networking.v1.NetworkPolicyPort[]
networking.v1.NetworkPolicyPeer ipBlock:@networking.v1.IPBlock namespaceSelector:@meta.v1.LabelSelector podSelector:@meta.v1.LabelSelector
networking.v1.NetworkPolicyPort endPort:i port:x protocol:s
networking.v1.NetworkPolicySpec egress:@networking.v1.NetworkPolicyEgressRule[] ingress:@networking.v1.NetworkPolicyIngressRule[] podSelector:@meta.v1.LabelSelector policyTypes:s[]
networking.v1.ServiceBackendPort ! name:s number:i
policy.v1.PodDisruptionBudget apiVersion:s kind:s metadata:@meta.v1.ObjectMeta spec:@policy.v1.PodDisruptionBudgetSpec status:@policy.v1.PodDisruptionBudgetStatus
policy.v1.PodDisruptionBudgetSpec maxUnavailable:x minAvailable:x selector:@meta.v1.LabelSelector unhealthyPodEvictionPolicy:s
policy.v1.PodDisruptionBudgetStatus conditions:@meta.v1.Condition[type] currentHealthy:i desiredHealthy:i disruptedPods:{t} disruptionsAllowed:i expectedPods:i observedGeneration:i
rbac.v1.AggregationRule clusterRoleSelectors:@meta.v1.LabelSelector[]
rbac.v1.ClusterRole aggregationRule:@rbac.v1.AggregationRule apiVersion:s kind:s metadata:@meta.v1.ObjectMeta rules:@rbac.v1.PolicyRule[]
rbac.v1.ClusterRoleBinding apiVersion:s kind:s metadata:@meta.v1.ObjectMeta roleRef:@rbac.v1.RoleRef subjects:@rbac.v1.Subject[]
rbac.v1.PolicyRule apiGroups:s[] nonResourceURLs:s[] resourceNames:s[] resources:s[] verbs:s[]
rbac.v1.Role apiVersion:s kind:s metadata:@meta.v1.ObjectMeta rules:@rbac.v1.PolicyRule[]
rbac.v1.RoleBinding apiVersion:s kind:s metadata:@meta.v1.ObjectMeta roleRef:@rbac.v1.RoleRef subjects:@rbac.v1.Subject[]
rbac.v1.RoleRef ! apiGroup:s="rbac.authorization.k8s.io" kind:s name:s
rbac.v1.Subject ! apiGroup:s kind:s name:s namespace:s
scheduling.v1.PriorityClass apiVersion:s description:s globalDefault:b kind:s metadata:@meta.v1.ObjectMeta preemptionPolicy:s="PreemptLowerPriority" value:i
storage.v1.StorageClass allowVolumeExpansion:b allowedTopologies:@core.v1.TopologySelectorTerm[] apiVersion:s kind:s metadata:@meta.v1.ObjectMeta mountOptions:s[] parameters:{s} provisioner:s reclaimPolicy:s="Delete" volumeBindingMode:s="Immediate"
`;
