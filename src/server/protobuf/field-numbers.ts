/**
 * The number of every field of the built-in types in protobuf, one type a line. Made from the sources of Kubernetes
 * v1.36.3 by scripts/kubernetes/write-builtin-shapes.ts, never by hand.
 *
 * `=` a field that is written also when it is not set, `*` one that is written only when it is, `#` one that holds bytes, `~` fields of
 * another type that stand in this one.
 */
export const fieldNumbers = `
apps.v1.ControllerRevision 1=metadata 2=data 3=revision
apps.v1.DaemonSet 1=metadata 2=spec 3=status
apps.v1.DaemonSetCondition 1=type 2=status 3=lastTransitionTime 4=reason 5=message
apps.v1.DaemonSetSpec 1*selector 2=template 3=updateStrategy 4=minReadySeconds 6*revisionHistoryLimit
apps.v1.DaemonSetStatus 1=currentNumberScheduled 2=numberMisscheduled 3=desiredNumberScheduled 4=numberReady 5=observedGeneration 6=updatedNumberScheduled 7=numberAvailable 8=numberUnavailable 9*collisionCount 10*conditions
apps.v1.DaemonSetUpdateStrategy 1=type 2*rollingUpdate
apps.v1.Deployment 1=metadata 2=spec 3=status
apps.v1.DeploymentCondition 1=type 2=status 6=lastUpdateTime 7=lastTransitionTime 4=reason 5=message
apps.v1.DeploymentSpec 1*replicas 2*selector 3=template 4=strategy 5=minReadySeconds 6*revisionHistoryLimit 7=paused 9*progressDeadlineSeconds
apps.v1.DeploymentStatus 1=observedGeneration 2=replicas 3=updatedReplicas 7=readyReplicas 4=availableReplicas 5=unavailableReplicas 9*terminatingReplicas 6*conditions 8*collisionCount
apps.v1.DeploymentStrategy 1=type 2*rollingUpdate
apps.v1.ReplicaSet 1=metadata 2=spec 3=status
apps.v1.ReplicaSetCondition 1=type 2=status 3=lastTransitionTime 4=reason 5=message
apps.v1.ReplicaSetSpec 1*replicas 4=minReadySeconds 2*selector 3=template
apps.v1.ReplicaSetStatus 1=replicas 2=fullyLabeledReplicas 4=readyReplicas 5=availableReplicas 7*terminatingReplicas 3=observedGeneration 6*conditions
apps.v1.RollingUpdateDaemonSet 1*maxUnavailable 2*maxSurge
apps.v1.RollingUpdateDeployment 1*maxUnavailable 2*maxSurge
apps.v1.RollingUpdateStatefulSetStrategy 1*partition 2*maxUnavailable
apps.v1.StatefulSet 1=metadata 2=spec 3=status
apps.v1.StatefulSetCondition 1=type 2=status 3=lastTransitionTime 4=reason 5=message
apps.v1.StatefulSetOrdinals 1=start
apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy 1=whenDeleted 2=whenScaled
apps.v1.StatefulSetSpec 1*replicas 2*selector 3=template 4*volumeClaimTemplates 5=serviceName 6=podManagementPolicy 7=updateStrategy 8*revisionHistoryLimit 9=minReadySeconds 10*persistentVolumeClaimRetentionPolicy 11*ordinals
apps.v1.StatefulSetStatus 1=observedGeneration 2=replicas 3=readyReplicas 4=currentReplicas 5=updatedReplicas 6=currentRevision 7=updateRevision 9*collisionCount 10*conditions 11=availableReplicas
apps.v1.StatefulSetUpdateStrategy 1=type 2*rollingUpdate
batch.v1.CronJob 1=metadata 2=spec 3=status
batch.v1.CronJobSpec 1=schedule 8*timeZone 2*startingDeadlineSeconds 3=concurrencyPolicy 4*suspend 5=jobTemplate 6*successfulJobsHistoryLimit 7*failedJobsHistoryLimit
batch.v1.CronJobStatus 1*active 4*lastScheduleTime 5*lastSuccessfulTime
batch.v1.Job 1=metadata 2=spec 3=status
batch.v1.JobCondition 1=type 2=status 3=lastProbeTime 4=lastTransitionTime 5=reason 6=message
batch.v1.JobSpec 1*parallelism 2*completions 3*activeDeadlineSeconds 11*podFailurePolicy 16*successPolicy 7*backoffLimit 12*backoffLimitPerIndex 13*maxFailedIndexes 4*selector 5*manualSelector 6=template 8*ttlSecondsAfterFinished 9*completionMode 10*suspend 14*podReplacementPolicy 15*managedBy
batch.v1.JobStatus 1*conditions 2*startTime 3*completionTime 4=active 5=succeeded 6=failed 11*terminating 7=completedIndexes 10*failedIndexes 8*uncountedTerminatedPods 9*ready
batch.v1.JobTemplateSpec 1=metadata 2=spec
batch.v1.PodFailurePolicy 1=rules
batch.v1.PodFailurePolicyOnExitCodesRequirement 1*containerName 2=operator 3*values
batch.v1.PodFailurePolicyOnPodConditionsPattern 1=type 2=status
batch.v1.PodFailurePolicyRule 1=action 2*onExitCodes 3=onPodConditions
batch.v1.SuccessPolicy 1=rules
batch.v1.SuccessPolicyRule 1*succeededIndexes 2*succeededCount
batch.v1.UncountedTerminatedPods 1*succeeded 2*failed
coordination.v1.Lease 1=metadata 2=spec
coordination.v1.LeaseSpec 1*holderIdentity 2*leaseDurationSeconds 3*acquireTime 4*renewTime 5*leaseTransitions 6*strategy 7*preferredHolder
core.v1.AWSElasticBlockStoreVolumeSource 1=volumeID 2=fsType 3=partition 4=readOnly
core.v1.Affinity 1*nodeAffinity 2*podAffinity 3*podAntiAffinity
core.v1.AppArmorProfile 1=type 2*localhostProfile
core.v1.AttachedVolume 1*name 2*devicePath
core.v1.AzureDiskVolumeSource 1=diskName 2=diskURI 3*cachingMode 4*fsType 5*readOnly 6*kind
core.v1.AzureFilePersistentVolumeSource 1=secretName 2=shareName 3=readOnly 4*secretNamespace
core.v1.AzureFileVolumeSource 1=secretName 2=shareName 3=readOnly
core.v1.CSIPersistentVolumeSource 1=driver 2=volumeHandle 3=readOnly 4=fsType 5*volumeAttributes 6*controllerPublishSecretRef 7*nodeStageSecretRef 8*nodePublishSecretRef 9*controllerExpandSecretRef 10*nodeExpandSecretRef
core.v1.CSIVolumeSource 1=driver 2*readOnly 3*fsType 4*volumeAttributes 5*nodePublishSecretRef
core.v1.Capabilities 1*add 2*drop
core.v1.CephFSPersistentVolumeSource 1*monitors 2=path 3=user 4=secretFile 5*secretRef 6=readOnly
core.v1.CephFSVolumeSource 1*monitors 2=path 3=user 4=secretFile 5*secretRef 6=readOnly
core.v1.CinderPersistentVolumeSource 1=volumeID 2=fsType 3=readOnly 4*secretRef
core.v1.CinderVolumeSource 1=volumeID 2=fsType 3=readOnly 4*secretRef
core.v1.ClientIPConfig 1*timeoutSeconds
core.v1.ClusterTrustBundleProjection 1*name 2*signerName 3*labelSelector 5*optional 4*path
core.v1.ConfigMap 1=metadata 4*immutable 2*data 3#binaryData
core.v1.ConfigMapEnvSource 1~core.v1.LocalObjectReference 2*optional
core.v1.ConfigMapKeySelector 1~core.v1.LocalObjectReference 2=key 3*optional
core.v1.ConfigMapNodeConfigSource 1=namespace 2=name 3=uid 4=resourceVersion 5=kubeletConfigKey
core.v1.ConfigMapProjection 1~core.v1.LocalObjectReference 2*items 4*optional
core.v1.ConfigMapVolumeSource 1~core.v1.LocalObjectReference 2*items 3*defaultMode 4*optional
core.v1.Container 1=name 2=image 3*command 4*args 5=workingDir 6*ports 19*envFrom 7*env 8=resources 23*resizePolicy 24*restartPolicy 25*restartPolicyRules 9*volumeMounts 21*volumeDevices 10*livenessProbe 11*readinessProbe 22*startupProbe 12*lifecycle 13=terminationMessagePath 20=terminationMessagePolicy 14=imagePullPolicy 15*securityContext 16=stdin 17=stdinOnce 18=tty
core.v1.ContainerExtendedResourceRequest 1=containerName 2=resourceName 3=requestName
core.v1.ContainerImage 1*names 2=sizeBytes
core.v1.ContainerPort 1=name 2=hostPort 3=containerPort 4=protocol 5=hostIP
core.v1.ContainerResizePolicy 1=resourceName 2=restartPolicy
core.v1.ContainerRestartRule 1=action 2*exitCodes
core.v1.ContainerRestartRuleOnExitCodes 1=operator 2*values
core.v1.ContainerState 1*waiting 2*running 3*terminated
core.v1.ContainerStateRunning 1=startedAt
core.v1.ContainerStateTerminated 1=exitCode 2=signal 3=reason 4=message 5=startedAt 6=finishedAt 7=containerID
core.v1.ContainerStateWaiting 1=reason 2=message
core.v1.ContainerStatus 1=name 2=state 3=lastState 4=ready 5=restartCount 6=image 7=imageID 8=containerID 9*started 10*allocatedResources 11*resources 12*volumeMounts 13*user 14*allocatedResourcesStatus 15*stopSignal
core.v1.ContainerUser 1*linux
core.v1.DaemonEndpoint 1=Port
core.v1.DownwardAPIProjection 1*items
core.v1.DownwardAPIVolumeFile 1=path 2*fieldRef 3*resourceFieldRef 4*mode
core.v1.DownwardAPIVolumeSource 1*items 2*defaultMode
core.v1.EmptyDirVolumeSource 1=medium 2*sizeLimit
core.v1.EndpointAddress 1=ip 3=hostname 4*nodeName 2*targetRef
core.v1.EndpointPort 1=name 2=port 3=protocol 4*appProtocol
core.v1.EndpointSubset 1*addresses 2*notReadyAddresses 3*ports
core.v1.Endpoints 1=metadata 2*subsets
core.v1.EnvFromSource 1=prefix 2*configMapRef 3*secretRef
core.v1.EnvVar 1=name 2=value 3*valueFrom
core.v1.EnvVarSource 1*fieldRef 2*resourceFieldRef 3*configMapKeyRef 4*secretKeyRef 5*fileKeyRef
core.v1.EphemeralContainer 1~core.v1.EphemeralContainerCommon 2=targetContainerName
core.v1.EphemeralContainerCommon 1=name 2=image 3*command 4*args 5=workingDir 6*ports 19*envFrom 7*env 8=resources 23*resizePolicy 24*restartPolicy 25*restartPolicyRules 9*volumeMounts 21*volumeDevices 10*livenessProbe 11*readinessProbe 22*startupProbe 12*lifecycle 13=terminationMessagePath 20=terminationMessagePolicy 14=imagePullPolicy 15*securityContext 16=stdin 17=stdinOnce 18=tty
core.v1.EphemeralVolumeSource 1*volumeClaimTemplate
core.v1.Event 1=metadata 2=involvedObject 3=reason 4=message 5=source 6=firstTimestamp 7=lastTimestamp 8=count 9=type 10=eventTime 11*series 12=action 13*related 14=reportingComponent 15=reportingInstance
core.v1.EventSeries 1=count 2=lastObservedTime
core.v1.EventSource 1=component 2=host
core.v1.ExecAction 1*command
core.v1.FCVolumeSource 1*targetWWNs 2*lun 3=fsType 4=readOnly 5*wwids
core.v1.FileKeySelector 1=volumeName 2=path 3=key 4*optional
core.v1.FlexPersistentVolumeSource 1=driver 2=fsType 3*secretRef 4=readOnly 5*options
core.v1.FlexVolumeSource 1=driver 2=fsType 3*secretRef 4=readOnly 5*options
core.v1.FlockerVolumeSource 1=datasetName 2=datasetUUID
core.v1.GCEPersistentDiskVolumeSource 1=pdName 2=fsType 3=partition 4=readOnly
core.v1.GRPCAction 1=port 2*service
core.v1.GitRepoVolumeSource 1=repository 2=revision 3=directory
core.v1.GlusterfsPersistentVolumeSource 1=endpoints 2=path 3=readOnly 4*endpointsNamespace
core.v1.GlusterfsVolumeSource 1=endpoints 2=path 3=readOnly
core.v1.HTTPGetAction 1=path 2=port 3=host 4=scheme 5*httpHeaders
core.v1.HTTPHeader 1=name 2=value
core.v1.HostAlias 1=ip 2*hostnames
core.v1.HostIP 1=ip
core.v1.HostPathVolumeSource 1=path 2*type
core.v1.ISCSIPersistentVolumeSource 1=targetPortal 2=iqn 3=lun 4=iscsiInterface 5=fsType 6=readOnly 7=portals 8=chapAuthDiscovery 11=chapAuthSession 10*secretRef 12*initiatorName
core.v1.ISCSIVolumeSource 1=targetPortal 2=iqn 3=lun 4=iscsiInterface 5=fsType 6=readOnly 7=portals 8=chapAuthDiscovery 11=chapAuthSession 10*secretRef 12*initiatorName
core.v1.ImageVolumeSource 1=reference 2=pullPolicy
core.v1.ImageVolumeStatus 1=imageRef
core.v1.KeyToPath 1=key 2=path 3*mode
core.v1.Lifecycle 1*postStart 2*preStop 3*stopSignal
core.v1.LifecycleHandler 1*exec 2*httpGet 3*tcpSocket 4*sleep
core.v1.LinuxContainerUser 1=uid 2=gid 3*supplementalGroups
core.v1.LoadBalancerIngress 1=ip 2=hostname 3*ipMode 4*ports
core.v1.LoadBalancerStatus 1*ingress
core.v1.LocalObjectReference 1=name
core.v1.LocalVolumeSource 1=path 2*fsType
core.v1.ModifyVolumeStatus 1=targetVolumeAttributesClassName 2=status
core.v1.NFSVolumeSource 1=server 2=path 3=readOnly
core.v1.Namespace 1=metadata 2=spec 3=status
core.v1.NamespaceCondition 1=type 2=status 4=lastTransitionTime 5=reason 6=message
core.v1.NamespaceSpec 1*finalizers
core.v1.NamespaceStatus 1=phase 2*conditions
core.v1.Node 1=metadata 2=spec 3=status
core.v1.NodeAddress 1=type 2=address
core.v1.NodeAffinity 1*requiredDuringSchedulingIgnoredDuringExecution 2*preferredDuringSchedulingIgnoredDuringExecution
core.v1.NodeAllocatableResourceClaimStatus 1=resourceClaimName 2*containers 3*resources
core.v1.NodeCondition 1=type 2=status 3=lastHeartbeatTime 4=lastTransitionTime 5=reason 6=message
core.v1.NodeConfigSource 2*configMap
core.v1.NodeConfigStatus 1*assigned 2*active 3*lastKnownGood 4=error
core.v1.NodeDaemonEndpoints 1=kubeletEndpoint
core.v1.NodeFeatures 1*supplementalGroupsPolicy
core.v1.NodeRuntimeHandler 1=name 2*features
core.v1.NodeRuntimeHandlerFeatures 1*recursiveReadOnlyMounts 2*userNamespaces
core.v1.NodeSelector 1*nodeSelectorTerms
core.v1.NodeSelectorRequirement 1=key 2=operator 3*values
core.v1.NodeSelectorTerm 1*matchExpressions 2*matchFields
core.v1.NodeSpec 1=podCIDR 7=podCIDRs 3=providerID 4=unschedulable 5=taints 6*configSource 2=externalID
core.v1.NodeStatus 1*capacity 2*allocatable 3=phase 4*conditions 5*addresses 6=daemonEndpoints 7=nodeInfo 8*images 9*volumesInUse 10*volumesAttached 11*config 12*runtimeHandlers 13*features 14*declaredFeatures
core.v1.NodeSwapStatus 1*capacity
core.v1.NodeSystemInfo 1=machineID 2=systemUUID 3=bootID 4=kernelVersion 5=osImage 6=containerRuntimeVersion 7=kubeletVersion 8=kubeProxyVersion 9=operatingSystem 10=architecture 11*swap
core.v1.ObjectFieldSelector 1=apiVersion 2=fieldPath
core.v1.ObjectReference 1=kind 2=namespace 3=name 4=uid 5=apiVersion 6=resourceVersion 7=fieldPath
core.v1.PersistentVolume 1=metadata 2=spec 3=status
core.v1.PersistentVolumeClaim 1=metadata 2=spec 3=status
core.v1.PersistentVolumeClaimCondition 1=type 2=status 3=lastProbeTime 4=lastTransitionTime 5=reason 6=message
core.v1.PersistentVolumeClaimSpec 1*accessModes 4*selector 2=resources 3=volumeName 5*storageClassName 6*volumeMode 7*dataSource 8*dataSourceRef 9*volumeAttributesClassName
core.v1.PersistentVolumeClaimStatus 1=phase 2*accessModes 3*capacity 4*conditions 5*allocatedResources 7*allocatedResourceStatuses 8*currentVolumeAttributesClassName 9*modifyVolumeStatus
core.v1.PersistentVolumeClaimTemplate 1=metadata 2=spec
core.v1.PersistentVolumeClaimVolumeSource 1=claimName 2=readOnly
core.v1.PersistentVolumeSource 1*gcePersistentDisk 2*awsElasticBlockStore 3*hostPath 4*glusterfs 5*nfs 6*rbd 7*iscsi 8*cinder 9*cephfs 10*fc 11*flocker 12*flexVolume 13*azureFile 14*vsphereVolume 15*quobyte 16*azureDisk 17*photonPersistentDisk 18*portworxVolume 19*scaleIO 20*local 21*storageos 22*csi
core.v1.PersistentVolumeSpec 1*capacity 2~core.v1.PersistentVolumeSource 3*accessModes 4*claimRef 5=persistentVolumeReclaimPolicy 6=storageClassName 7=mountOptions 8*volumeMode 9*nodeAffinity 10*volumeAttributesClassName
core.v1.PersistentVolumeStatus 1=phase 2=message 3=reason 4*lastPhaseTransitionTime
core.v1.PhotonPersistentDiskVolumeSource 1=pdID 2=fsType
core.v1.Pod 1=metadata 2=spec 3=status
core.v1.PodAffinity 1*requiredDuringSchedulingIgnoredDuringExecution 2*preferredDuringSchedulingIgnoredDuringExecution
core.v1.PodAffinityTerm 1*labelSelector 2*namespaces 3=topologyKey 4*namespaceSelector 5=matchLabelKeys 6=mismatchLabelKeys
core.v1.PodAntiAffinity 1*requiredDuringSchedulingIgnoredDuringExecution 2*preferredDuringSchedulingIgnoredDuringExecution
core.v1.PodCertificateProjection 1*signerName 2*keyType 3*maxExpirationSeconds 4*credentialBundlePath 5*keyPath 6*certificateChainPath 7*userAnnotations
core.v1.PodCondition 1=type 7=observedGeneration 2=status 3=lastProbeTime 4=lastTransitionTime 5=reason 6=message
core.v1.PodDNSConfig 1*nameservers 2*searches 3*options
core.v1.PodDNSConfigOption 1=name 2*value
core.v1.PodExtendedResourceClaimStatus 1*requestMappings 2=resourceClaimName
core.v1.PodIP 1=ip
core.v1.PodOS 1=name
core.v1.PodReadinessGate 1=conditionType
core.v1.PodResourceClaim 1=name 3*resourceClaimName 4*resourceClaimTemplateName
core.v1.PodResourceClaimStatus 1=name 2*resourceClaimName
core.v1.PodSchedulingGate 1=name
core.v1.PodSchedulingGroup 1*podGroupName
core.v1.PodSecurityContext 1*seLinuxOptions 8*windowsOptions 2*runAsUser 6*runAsGroup 3*runAsNonRoot 4*supplementalGroups 12*supplementalGroupsPolicy 5*fsGroup 7*sysctls 9*fsGroupChangePolicy 10*seccompProfile 11*appArmorProfile 13*seLinuxChangePolicy
core.v1.PodSpec 1*volumes 20*initContainers 2*containers 34*ephemeralContainers 3=restartPolicy 4*terminationGracePeriodSeconds 5*activeDeadlineSeconds 6=dnsPolicy 7*nodeSelector 8=serviceAccountName 9=serviceAccount 21*automountServiceAccountToken 10=nodeName 11=hostNetwork 12=hostPID 13=hostIPC 27*shareProcessNamespace 14*securityContext 15*imagePullSecrets 16=hostname 17=subdomain 18*affinity 19=schedulerName 22=tolerations 23*hostAliases 24=priorityClassName 25*priority 26*dnsConfig 28=readinessGates 29*runtimeClassName 30*enableServiceLinks 31*preemptionPolicy 32=overhead 33=topologySpreadConstraints 35*setHostnameAsFQDN 36*os 37*hostUsers 38=schedulingGates 39*resourceClaims 40*resources 41*hostnameOverride 43*schedulingGroup
core.v1.PodStatus 17=observedGeneration 1=phase 2*conditions 3=message 4=reason 11=nominatedNodeName 5=hostIP 16*hostIPs 6=podIP 12*podIPs 7*startTime 10*initContainerStatuses 8*containerStatuses 9*qosClass 13*ephemeralContainerStatuses 14=resize 15*resourceClaimStatuses 18*extendedResourceClaimStatus 19*allocatedResources 20*resources 21*nodeAllocatableResourceClaimStatuses
core.v1.PodTemplateSpec 1=metadata 2=spec
core.v1.PortStatus 1=port 2=protocol 3*error
core.v1.PortworxVolumeSource 1=volumeID 2=fsType 3=readOnly
core.v1.PreferredSchedulingTerm 1=weight 2=preference
core.v1.Probe 1~core.v1.ProbeHandler 2=initialDelaySeconds 3=timeoutSeconds 4=periodSeconds 5=successThreshold 6=failureThreshold 7*terminationGracePeriodSeconds
core.v1.ProbeHandler 1*exec 2*httpGet 3*tcpSocket 4*grpc
core.v1.ProjectedVolumeSource 1*sources 2*defaultMode
core.v1.QuobyteVolumeSource 1=registry 2=volume 3=readOnly 4=user 5=group 6=tenant
core.v1.RBDPersistentVolumeSource 1*monitors 2=image 3=fsType 4=pool 5=user 6=keyring 7*secretRef 8=readOnly
core.v1.RBDVolumeSource 1*monitors 2=image 3=fsType 4=pool 5=user 6=keyring 7*secretRef 8=readOnly
core.v1.ResourceClaim 1=name 2=request
core.v1.ResourceFieldSelector 1=containerName 2=resource 3=divisor
core.v1.ResourceHealth 1=resourceID 2=health 6*message
core.v1.ResourceRequirements 1*limits 2*requests 3=claims
core.v1.ResourceStatus 1=name 2*resources
core.v1.SELinuxOptions 1=user 2=role 3=type 4=level
core.v1.ScaleIOPersistentVolumeSource 1=gateway 2=system 3*secretRef 4=sslEnabled 5=protectionDomain 6=storagePool 7=storageMode 8=volumeName 9=fsType 10=readOnly
core.v1.ScaleIOVolumeSource 1=gateway 2=system 3*secretRef 4=sslEnabled 5=protectionDomain 6=storagePool 7=storageMode 8=volumeName 9=fsType 10=readOnly
core.v1.SeccompProfile 1=type 2*localhostProfile
core.v1.Secret 1=metadata 5*immutable 2#data 4*stringData 3=type
core.v1.SecretEnvSource 1~core.v1.LocalObjectReference 2*optional
core.v1.SecretKeySelector 1~core.v1.LocalObjectReference 2=key 3*optional
core.v1.SecretProjection 1~core.v1.LocalObjectReference 2*items 4*optional
core.v1.SecretReference 1=name 2=namespace
core.v1.SecretVolumeSource 1=secretName 2*items 3*defaultMode 4*optional
core.v1.SecurityContext 1*capabilities 2*privileged 3*seLinuxOptions 10*windowsOptions 4*runAsUser 8*runAsGroup 5*runAsNonRoot 6*readOnlyRootFilesystem 7*allowPrivilegeEscalation 9*procMount 11*seccompProfile 12*appArmorProfile
core.v1.Service 1=metadata 2=spec 3=status
core.v1.ServiceAccount 1=metadata 2*secrets 3*imagePullSecrets 4*automountServiceAccountToken
core.v1.ServiceAccountTokenProjection 1*audience 2*expirationSeconds 3=path
core.v1.ServicePort 1=name 2=protocol 6*appProtocol 3=port 4=targetPort 5=nodePort
core.v1.ServiceSpec 1*ports 2*selector 3=clusterIP 18=clusterIPs 4=type 5*externalIPs 7=sessionAffinity 8=loadBalancerIP 9=loadBalancerSourceRanges 10=externalName 11=externalTrafficPolicy 12=healthCheckNodePort 13=publishNotReadyAddresses 14*sessionAffinityConfig 19=ipFamilies 17*ipFamilyPolicy 20*allocateLoadBalancerNodePorts 21*loadBalancerClass 22*internalTrafficPolicy 23*trafficDistribution
core.v1.ServiceStatus 1=loadBalancer 2*conditions
core.v1.SessionAffinityConfig 1*clientIP
core.v1.SleepAction 1=seconds
core.v1.StorageOSPersistentVolumeSource 1=volumeName 2=volumeNamespace 3=fsType 4=readOnly 5*secretRef
core.v1.StorageOSVolumeSource 1=volumeName 2=volumeNamespace 3=fsType 4=readOnly 5*secretRef
core.v1.Sysctl 1=name 2=value
core.v1.TCPSocketAction 1=port 2=host
core.v1.Taint 1=key 2=value 3=effect 4*timeAdded
core.v1.Toleration 1=key 2=operator 3=value 4=effect 5*tolerationSeconds
core.v1.TopologySelectorLabelRequirement 1=key 2*values
core.v1.TopologySelectorTerm 1*matchLabelExpressions
core.v1.TopologySpreadConstraint 1=maxSkew 2=topologyKey 3=whenUnsatisfiable 4*labelSelector 5*minDomains 6*nodeAffinityPolicy 7*nodeTaintsPolicy 8=matchLabelKeys
core.v1.TypedLocalObjectReference 1*apiGroup 2=kind 3=name
core.v1.TypedObjectReference 1*apiGroup 2=kind 3=name 4*namespace
core.v1.Volume 1=name 2~core.v1.VolumeSource
core.v1.VolumeDevice 1=name 2=devicePath
core.v1.VolumeMount 1=name 2=readOnly 7*recursiveReadOnly 3=mountPath 4=subPath 5*mountPropagation 6=subPathExpr
core.v1.VolumeMountStatus 1=name 2=mountPath 3=readOnly 4*recursiveReadOnly 5*volumeStatus
core.v1.VolumeNodeAffinity 1*required
core.v1.VolumeProjection 1*secret 2*downwardAPI 3*configMap 4*serviceAccountToken 5*clusterTrustBundle 6*podCertificate
core.v1.VolumeResourceRequirements 1*limits 2*requests
core.v1.VolumeSource 1*hostPath 2*emptyDir 3*gcePersistentDisk 4*awsElasticBlockStore 5*gitRepo 6*secret 7*nfs 8*iscsi 9*glusterfs 10*persistentVolumeClaim 11*rbd 12*flexVolume 13*cinder 14*cephfs 15*flocker 16*downwardAPI 17*fc 18*azureFile 19*configMap 20*vsphereVolume 21*quobyte 22*azureDisk 23*photonPersistentDisk 26*projected 24*portworxVolume 25*scaleIO 27*storageos 28*csi 29*ephemeral 30*image
core.v1.VolumeStatus 1*image
core.v1.VsphereVirtualDiskVolumeSource 1=volumePath 2=fsType 3=storagePolicyName 4=storagePolicyID
core.v1.WeightedPodAffinityTerm 1=weight 2=podAffinityTerm
core.v1.WindowsSecurityContextOptions 1*gmsaCredentialSpecName 2*gmsaCredentialSpec 3*runAsUserName 4*hostProcess
discovery.v1.Endpoint 1*addresses 2=conditions 3*hostname 4*targetRef 5=deprecatedTopology 6*nodeName 7*zone 8*hints
discovery.v1.EndpointConditions 1*ready 2*serving 3*terminating
discovery.v1.EndpointHints 1=forZones 2=forNodes
discovery.v1.EndpointPort 1*name 2*protocol 3*port 4*appProtocol
discovery.v1.EndpointSlice 1=metadata 4*addressType 2*endpoints 3*ports
discovery.v1.ForNode 1=name
discovery.v1.ForZone 1=name
events.v1.Event 1=metadata 2=eventTime 3*series 4=reportingController 5=reportingInstance 6=action 7=reason 8=regarding 9*related 10=note 11=type 12=deprecatedSource 13=deprecatedFirstTimestamp 14=deprecatedLastTimestamp 15=deprecatedCount
events.v1.EventSeries 1=count 2=lastObservedTime
meta.v1.Condition 1=type 2=status 3=observedGeneration 4=lastTransitionTime 5=reason 6=message
meta.v1.DeleteOptions 1*gracePeriodSeconds 2*preconditions 3*orphanDependents 4*propagationPolicy 5*dryRun 6*ignoreStoreReadErrorWithClusterBreakingPotential
meta.v1.LabelSelector 1*matchLabels 2*matchExpressions
meta.v1.LabelSelectorRequirement 1=key 2=operator 3*values
meta.v1.ManagedFieldsEntry 1=manager 2=operation 3=apiVersion 4*time 6=fieldsType 7*fieldsV1 8=subresource
meta.v1.ObjectMeta 1=name 2=generateName 3=namespace 4=selfLink 5=uid 6=resourceVersion 7=generation 8=creationTimestamp 9*deletionTimestamp 10*deletionGracePeriodSeconds 11*labels 12*annotations 13*ownerReferences 14*finalizers 17*managedFields
meta.v1.OwnerReference 5=apiVersion 1=kind 3=name 4=uid 6*controller 7*blockOwnerDeletion
meta.v1.Preconditions 1*uid 2*resourceVersion
networking.v1.HTTPIngressPath 1=path 3*pathType 2=backend
networking.v1.HTTPIngressRuleValue 1*paths
networking.v1.IPBlock 1=cidr 2*except
networking.v1.Ingress 1=metadata 2=spec 3=status
networking.v1.IngressBackend 4*service 3*resource
networking.v1.IngressLoadBalancerIngress 1=ip 2=hostname 4*ports
networking.v1.IngressLoadBalancerStatus 1*ingress
networking.v1.IngressPortStatus 1=port 2=protocol 3*error
networking.v1.IngressRule 1=host 2~networking.v1.IngressRuleValue
networking.v1.IngressRuleValue 1*http
networking.v1.IngressServiceBackend 1=name 2=port
networking.v1.IngressSpec 4*ingressClassName 1*defaultBackend 2*tls 3*rules
networking.v1.IngressStatus 1=loadBalancer
networking.v1.IngressTLS 1*hosts 2=secretName
networking.v1.NetworkPolicy 1=metadata 2=spec
networking.v1.NetworkPolicyEgressRule 1*ports 2*to
networking.v1.NetworkPolicyIngressRule 1*ports 2*from
networking.v1.NetworkPolicyPeer 1*podSelector 2*namespaceSelector 3*ipBlock
networking.v1.NetworkPolicyPort 1*protocol 2*port 3*endPort
networking.v1.NetworkPolicySpec 1=podSelector 2*ingress 3*egress 4*policyTypes
networking.v1.ServiceBackendPort 1=name 2=number
policy.v1.PodDisruptionBudget 1=metadata 2=spec 3=status
policy.v1.PodDisruptionBudgetSpec 1*minAvailable 2*selector 3*maxUnavailable 4*unhealthyPodEvictionPolicy
policy.v1.PodDisruptionBudgetStatus 1=observedGeneration 2*disruptedPods 3=disruptionsAllowed 4=currentHealthy 5=desiredHealthy 6=expectedPods 7*conditions
rbac.v1.AggregationRule 1*clusterRoleSelectors
rbac.v1.ClusterRole 1=metadata 2*rules 3*aggregationRule
rbac.v1.ClusterRoleBinding 1=metadata 2*subjects 3=roleRef
rbac.v1.PolicyRule 1*verbs 2*apiGroups 3*resources 4*resourceNames 5*nonResourceURLs
rbac.v1.Role 1=metadata 2*rules
rbac.v1.RoleBinding 1=metadata 2*subjects 3=roleRef
rbac.v1.RoleRef 1=apiGroup 2=kind 3=name
rbac.v1.Subject 1=kind 2=apiGroup 3=name 4=namespace
scheduling.v1.PriorityClass 1=metadata 2=value 3=globalDefault 4=description 5*preemptionPolicy
storage.v1.StorageClass 1=metadata 2=provisioner 3*parameters 4*reclaimPolicy 5=mountOptions 6*allowVolumeExpansion 7*volumeBindingMode 8*allowedTopologies
`;
